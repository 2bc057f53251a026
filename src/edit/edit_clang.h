/*
 * edit_clang.h - what the two files that read libclang's tree share: edit_ast.c (statements)
 * and edit_call.c (one call within a statement).
 */
#ifndef EDIT_EDIT_CLANG_H
#define EDIT_EDIT_CLANG_H

#include "edit/clang.h"
#include "edit/priv.h"

#define MAP_NAME namemap
#define MAP_KEY const char *
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct source_func {
	struct ast_func f;
	CXCursor cursor;
	CXFile file;
	bool read;
};

struct ast {
	struct arena arena;
	CXIndex index;
	CXTranslationUnit unit;
	char *dir;
	VEC(struct source_func *) funcs;
	VEC(struct ast_file *) files;
	struct namemap names;		/* declared at file level -> the first declaration's number */
	uint32_t order;
	bool is_old, decls_first;	/* see struct ast_func */
};

struct place {
	CXFile file;
	unsigned line, col, offset;	/* line: as the compiler numbers it */
	bool macro;
};

VEC_TYPE(cursors, CXCursor);

/* At the end of a range libclang has already replaced what a macro made by where it is named: `macro`
 * is then false. */
struct place ast__place(CXSourceLocation l);
/* The cursor of a function that ast_func() found. */
CXCursor ast__cursor(const struct ast *a, const struct ast_func *f);
void ast__children(struct cursors *out, CXCursor c);
const char *ast__string(struct ast *a, CXString s);
/* Is the expression nothing but the value of a parameter or an automatic variable? */
bool ast__is_local(CXCursor c);
/* Is a variable of this name, or a part of it, known to somebody by its address? */
bool ast__has_address(const struct ast_func *f, const char *text, size_t n);

#endif
