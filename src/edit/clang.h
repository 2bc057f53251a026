/*
 * clang.h - libclang, found when it is first needed.
 *
 * It brings all of LLVM with it, which costs twelve milliseconds at the start of a program
 * that may never need it, so it is loaded, not linked.  CLANG(f) is clang_f of clang-c/Index.h.
 */
#ifndef EDIT_CLANG_H
#define EDIT_CLANG_H

#include <clang-c/Index.h>

#define CLANG_FUNCTIONS(X) \
	X(createIndex) X(disposeIndex) X(parseTranslationUnit2) X(disposeTranslationUnit) \
	X(getTranslationUnitCursor) X(visitChildren) X(getCursorKind) \
		X(getCursorExtent) X(getCursorLocation) \
	X(getCursorSpelling) X(getCursorReferenced) X(getCursorResultType) X(getTypeSpelling) \
	X(getCanonicalType) X(getCursorType) X(isCursorDefinition) X(getCString) X(disposeString) \
	X(getRangeStart) X(getRangeEnd) X(getExpansionLocation) X(getSpellingLocation) \
		X(getFileLocation) X(getPresumedLocation) \
	X(getFileName) X(File_isEqual) X(Location_isInSystemHeader) \
		X(Cursor_getStorageClass) X(getCursorLinkage) \
	X(isExpression) X(isDeclaration) X(getNumDiagnostics) X(getDiagnostic) X(disposeDiagnostic) \
	X(getDiagnosticSeverity) X(getDiagnosticSpelling) X(getDiagnosticLocation) \
		X(getCursorBinaryOperatorKind) X(getCursorUnaryOperatorKind) \
	X(getUnqualifiedType) X(Type_getValueType)

struct clang_functions {
#define X(f) __typeof__(clang_##f) *f;
	CLANG_FUNCTIONS(X)
#undef X
};

extern struct clang_functions clang__fns;
#define CLANG(f) clang__fns.f

/* Negative: it is not installed. */
int clang_load(void);

#endif
