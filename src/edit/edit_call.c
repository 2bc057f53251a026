/*
 * edit_call.c - one call within a statement, as libclang reads it.
 *
 * The result of a call may be in no variable: use(make()).  Then the text of the call is edited, and not only
 * the gaps between statements.  The tree shows whether that changes the order of evaluation.  The call can be
 * moved before its statement if it is executed each time that the statement is, and if nothing else that is
 * evaluated there, except for the calls around it, can tell the difference: constants, addresses, and local
 * variables whose address is not taken.
 */
#include "edit/edit_clang.h"

#include "base/error.h"

enum { CALL_DEPTH_MAX = 1000 };

struct call_search {
	struct ast *a;
	const struct ast_func *f;
	uint32_t line, col;
	const char *callee;		/* NULL: called by a pointer */
	struct cursors path;		/* from the function down to where the search is */
	struct cursors found;		/* down to the call */
	uint32_t hits;
};

static void find(struct call_search *x, CXCursor c)
{
	struct cursors cs = {0};

	vec_push(&x->path, c);
	if (CLANG(getCursorKind)(c) == CXCursor_CallExpr) {
		struct place p = ast__place(CLANG(getRangeStart)(CLANG(getCursorExtent)(c)));

		if (p.line == x->line && p.col == x->col &&
		    (!x->callee ||
		     str_eq(ast__string(x->a, CLANG(getCursorSpelling)(c)), x->callee)) && !x->hits++)
			for (uint32_t i = 0; i < x->path.n; i++)
				vec_push(&x->found, x->path.v[i]);
	}
	if (x->path.n < CALL_DEPTH_MAX) {
		ast__children(&cs, c);
		for (uint32_t i = 0; i < cs.n; i++)
			find(x, cs.v[i]);
		vec_release(&cs);
	}
	x->path.n--;
}

/* Is a name that is read the same before and after any call? */
static bool is_fixed(const struct call_search *x, CXCursor c)
{
	enum CXCursorKind k = CLANG(getCursorKind)(CLANG(getCursorReferenced)(c));
	const char *name;

	if (k == CXCursor_FunctionDecl || k == CXCursor_EnumConstantDecl)
		return true;
	name = ast__string(x->a, CLANG(getCursorSpelling)(c));
	return ast__is_local(c) && !ast__has_address(x->f, name, strlen(name));
}

static bool all_inert(const struct call_search *x, CXCursor c, unsigned depth);

/* Can the value not depend on whether a call comes before it or after it, and does it do nothing? */
static bool is_inert(const struct call_search *x, CXCursor c, unsigned depth)
{
	enum CXCursorKind k = CLANG(getCursorKind)(c);

	switch ((int)k) {
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_StringLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_TypeRef:
	case CXCursor_UnaryExpr:	/* sizeof */
		return true;
	case CXCursor_DeclRefExpr:
		return is_fixed(x, c);
	case CXCursor_ParenExpr:
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
	case CXCursor_ConditionalOperator:
	case CXCursor_VarDecl:
		return all_inert(x, c, depth);
	case CXCursor_UnaryOperator:
		switch (CLANG(getCursorUnaryOperatorKind)(c)) {
		case CXUnaryOperator_Plus:
		case CXUnaryOperator_Minus:
		case CXUnaryOperator_Not:
		case CXUnaryOperator_LNot:
			return all_inert(x, c, depth);
		default:
			return false;
		}
	case CXCursor_BinaryOperator:
		return CLANG(getCursorBinaryOperatorKind)(c) < CXBinaryOperator_Assign &&
		       all_inert(x, c, depth);
	default:
		return false;
	}
}

static bool all_inert(const struct call_search *x, CXCursor c, unsigned depth)
{
	struct cursors cs = {0};
	bool ok = depth < 50;

	ast__children(&cs, c);
	for (uint32_t i = 0; ok && i < cs.n; i++)
		ok = is_inert(x, cs.v[i], depth + 1);
	vec_release(&cs);
	return ok;
}

static bool same_cursor(CXCursor a, CXCursor b)
{
	return a.kind == b.kind && a.data[0] == b.data[0] && a.data[1] == b.data[1] && a.data[2] == b.data[2];
}

/* Are all parts of the cursor evaluated, before what it does itself? */
static bool evaluates_all(enum CXCursorKind k)
{
	switch (k) {
	case CXCursor_CallExpr:
	case CXCursor_ParenExpr:
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
	case CXCursor_MemberRefExpr:
	case CXCursor_ArraySubscriptExpr:
	case CXCursor_UnaryOperator:
	case CXCursor_CompoundAssignOperator:
	case CXCursor_VarDecl:
	case CXCursor_DeclStmt:
		return true;
	default:
		return false;
	}
}

/* May the call that lies in one part of an expression be executed before all of it? */
static bool passes(const struct call_search *x, CXCursor c, CXCursor part)
{
	enum CXCursorKind k = CLANG(getCursorKind)(c);
	struct cursors cs = {0};
	bool ok = true, sequenced = k == CXCursor_ConditionalOperator;

	if (k == CXCursor_BinaryOperator) {
		enum CXBinaryOperatorKind op = CLANG(getCursorBinaryOperatorKind)(c);

		if (op == CXBinaryOperator_Comma)	/* a variable alone before it is a warning */
			return false;
		sequenced = op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr;
	} else if (!sequenced && !evaluates_all(k)) {
		return false;
	}
	ast__children(&cs, c);
	if (sequenced)			/* the first part comes first */
		ok = cs.n && same_cursor(cs.v[0], part);
	for (uint32_t i = 0; ok && !sequenced && i < cs.n; i++)
		ok = same_cursor(cs.v[i], part) || is_inert(x, cs.v[i], 0);
	vec_release(&cs);
	return ok;
}

/* What can be done with the call that was found. */
static void describe(const struct call_search *x, struct call_text *out)
{
	uint32_t last = x->found.n - 1, top = last;

	while (top > 0 && CLANG(isExpression)(CLANG(getCursorKind)(x->found.v[top - 1])))
		top--;
	if (top > 1 && CLANG(getCursorKind)(x->found.v[top - 1]) == CXCursor_VarDecl)
		top -= 2;		/* with the DeclStmt: others may be declared there */
	out->whole = out->first = out->uncast = true;
	for (uint32_t i = top; i < last; i++) {
		enum CXCursorKind k = CLANG(getCursorKind)(x->found.v[i]);

		out->whole &= k == CXCursor_ParenExpr ||
			k == CXCursor_UnexposedExpr || k == CXCursor_CStyleCastExpr;
		out->uncast &= k == CXCursor_ParenExpr || k == CXCursor_UnexposedExpr;
		out->first &= passes(x, x->found.v[i], x->found.v[i + 1]);
	}
	out->type = ast__string(x->a, CLANG(getTypeSpelling)(CLANG(getCursorType)(x->found.v[last])));
}

/* ---- in an argument of a macro ---- */

/* Has a literal of what the macro at an offset makes the callee's name in it?  It may be made of the
 * argument. */
static bool is_quoted(const struct call_search *x, CXCursor c, uint32_t at, unsigned depth)
{
	struct cursors cs = {0};
	bool found = depth > CALL_DEPTH_MAX;

	if (CLANG(getCursorKind)(c) == CXCursor_StringLiteral)
		return ast__place(CLANG(getCursorLocation)(c)).offset == at &&
		       strstr(ast__string(x->a, CLANG(getCursorSpelling)(c)), x->callee);
	ast__children(&cs, c);
	for (uint32_t i = 0; !found && i < cs.n; i++)
		found = is_quoted(x, cs.v[i], at, depth + 1);
	vec_release(&cs);
	return found;
}

/* Where the text of the call stands, if that is in an argument that a macro takes just once: no second call
 * was found, and no literal has its name.  False: it stands elsewhere. */
static bool find_argument(const struct call_search *x, CXSourceRange r, struct call_text *out)
{
	const char *text = x->f->file->text;
	size_t n = x->callee ? strlen(x->callee) : 0;
	unsigned begin, end;
	CXFile from, to;

	CLANG(getFileLocation)(CLANG(getRangeStart)(r), &from, NULL, NULL, &begin);
	CLANG(getFileLocation)(CLANG(getRangeEnd)(r), &to, NULL, NULL, &end);
	if (!n || !CLANG(File_isEqual)(from, to))
		return false;
	if (begin < x->f->begin || end > x->f->end || begin + n >= end || text[end - 1] != ')')
		return false;
	if (strncmp(text + begin, x->callee, n) != 0 ||
	    text[lay_skip(x->f->file, (uint32_t)(begin + n))] != '(')
		return false;
	if (is_quoted(x, x->found.v[0], ast__place(CLANG(getRangeStart)(r)).offset, 0))
		return false;
	out->begin = begin;
	out->end = end;
	return true;
}

bool ast_is_call(struct ast *a, const struct ast_func *f, uint32_t line, uint32_t col, const char *callee)
{
	struct call_search x = { .a = a, .f = f, .line = line, .col = col, .callee = callee };
	struct call_text t = {0};

	find(&x, ast__cursor(a, f));
	if (x.hits == 1)
		describe(&x, &t);
	vec_release(&x.path);
	vec_release(&x.found);
	return t.uncast;
}

int ast_call(struct ast *a, const struct ast_func *f, uint32_t line, uint32_t col,
	     const char *callee, struct call_text *out)
{
	struct call_search x = { .a = a, .f = f, .line = line, .col = col, .callee = callee };
	struct place begin, end;
	CXSourceRange r;
	int ret = -1;

	find(&x, ast__cursor(a, f));
	if (x.hits != 1) {
		error_set("the call in line %u is not in the text as it was analysed", line);
		goto done;
	}
	r = CLANG(getCursorExtent)(vec_last(&x.found));
	begin = ast__place(CLANG(getRangeStart)(r));
	end = ast__place(CLANG(getRangeEnd)(r));
	if (!begin.macro && !end.macro && end.offset <= f->end &&
	    end.offset > begin.offset && f->file->text[end.offset - 1] == ')') {
		out->begin = begin.offset;
		out->end = end.offset;
	} else if (!find_argument(&x, r, out)) {
		error_set("it would have to go inside a macro");
		goto done;
	}
	describe(&x, out);
	ret = 0;
done:
	vec_release(&x.path);
	vec_release(&x.found);
	return ret;
}
