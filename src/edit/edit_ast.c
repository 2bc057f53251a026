/*
 * edit_ast.c - the statements of a function, as libclang reads them.
 *
 * Of clang's tree only statements are kept, since only between statements can a
 * statement be put, and of each only where it stands in the file.  What a macro makes
 * stands where the macro is named, and is flagged; the rest of the editor decides by that
 * flag what it may touch.  Statement expressions are the one way in which statements hide
 * in expressions, so expressions are searched for them.
 *
 * libclang leaves out the empty parts of `for`, and says nowhere which part is which; that
 * does not matter here, since the body comes last and only the first part can declare.
 *
 * The tree is that of the file as it is on the disk now.  Whether this is still what the
 * program's IR was made from is not asked here: edit_match.c compares the two.
 */
#include "edit/edit_clang.h"

#include "base/error.h"
#include "base/file.h"
#include "config.h"
#include "front/flags.h"

enum { DEPTH_MAX = 1500 };

struct place ast__place(CXSourceLocation l)
{
	struct place p;
	unsigned offset;
	CXFile file;

	CLANG(getExpansionLocation)(l, &p.file, NULL, &p.col, &p.offset);
	CLANG(getPresumedLocation)(l, NULL, &p.line, NULL);
	CLANG(getSpellingLocation)(l, &file, NULL, NULL, &offset);
	p.macro = offset != p.offset || !CLANG(File_isEqual)(file, p.file);
	return p;
}

const char *ast__string(struct ast *a, CXString s)
{
	const char *text = CLANG(getCString)(s);

	text = arena_strdup(&a->arena, text ? text : "");
	CLANG(disposeString)(s);
	return text;
}

static enum CXChildVisitResult add_child(CXCursor c, CXCursor parent, CXClientData data)
{
	struct cursors *out = data;

	UNUSED(parent);
	vec_push(out, c);
	return CXChildVisit_Continue;
}

void ast__children(struct cursors *out, CXCursor c)
{
	CLANG(visitChildren)(c, add_child, out);
}

/* ---- files ---- */

/* shown: what the compiler calls it there, and by how much its lines are numbered otherwise. */
static struct ast_file *file_get(struct ast *a, CXFile file, const char *shown, int64_t delta)
{
	char *path = path_from(a->dir, ast__string(a, CLANG(getFileName)(file)));
	bool renamed = delta || !str_eq(shown, path);
	struct ast_file *f = NULL;
	size_t n;

	for (uint32_t i = 0; !f && i < a->files.n; i++)
		if (str_eq(a->files.v[i]->path, path) && a->files.v[i]->delta == delta &&
		    (renamed ? a->files.v[i]->shown && str_eq(a->files.v[i]->shown, shown) :
		     !a->files.v[i]->shown))
			f = a->files.v[i];
	if (!f) {
		f = arena_new(&a->arena, struct ast_file);
		f->path = arena_strdup(&a->arena, path);
		f->shown = renamed ? shown : NULL;
		f->delta = delta;
		vec_push(&a->files, f);
		if (file_read(&f->text, &n, path) < 0 || n > INT32_MAX) {
			free(f->text);
			f->text = xstrdup("");
			n = 0;
		}
		f->n = (uint32_t)n;
		fix_line_starts(&f->lines, f->text, f->n);
		ifs_read(f, &a->arena);
	}
	free(path);
	return f;
}

uint32_t ast_offset(const struct ast_file *f, uint32_t line, uint32_t col)
{
	int64_t here = (int64_t)line - f->delta;

	if (here < 1 || here > f->lines.n || !col || f->lines.v[here - 1] + col - 1 > f->n)
		return UINT32_MAX;
	return f->lines.v[here - 1] + col - 1;
}

void ast_position(const struct ast_file *f, uint32_t offset, uint32_t *line, uint32_t *col)
{
	uint32_t lo = fix_line_at(f->lines.v, f->lines.n, offset);

	*line = (uint32_t)(lo + 1 + f->delta);
	*col = offset - f->lines.v[lo] + 1;
}

/* ---- statements ---- */

struct build {
	struct ast *a;
	struct source_func *sf;
	unsigned depth;
	bool too_deep;
};

static struct st *statement(struct build *b, CXCursor c, struct st *parent);

static void add_decl(struct ast *a, struct st_decl **v, CXCursor c)
{
	struct place p = ast__place(CLANG(getCursorLocation)(c));

	**v = (struct st_decl){ ast__string(a, CLANG(getCursorSpelling)(c)), p.line, p.col };
}

/* Names that a DeclStmt declares; those of enumerators, too. */
static void add_decls(struct build *b, struct st *s, CXCursor c)
{
	struct cursors cs = {0};

	ast__children(&cs, c);
	for (uint32_t i = 0; i < cs.n; i++) {
		enum CXCursorKind k = CLANG(getCursorKind)(cs.v[i]);

		if (k == CXCursor_EnumDecl) {
			add_decls(b, s, cs.v[i]);
		} else if (CLANG(isDeclaration)(k) && k != CXCursor_StructDecl && k != CXCursor_UnionDecl) {
			struct st_decl *d = vec_add(&s->decls, 1);

			add_decl(b->a, &d, cs.v[i]);
		}
	}
	vec_release(&cs);
}

struct inner_search {
	struct build *b;
	struct st *owner;
};

static enum CXChildVisitResult find_inner(CXCursor c, CXCursor parent, CXClientData data)
{
	struct inner_search *x = data;
	struct cursors cs = {0};

	UNUSED(parent);
	if (CLANG(getCursorKind)(c) != CXCursor_StmtExpr)
		return CXChildVisit_Recurse;
	ast__children(&cs, c);
	for (uint32_t i = 0; i < cs.n; i++) {
		struct st *s = statement(x->b, cs.v[i], x->owner);

		if (!s)
			continue;
		s->is_value = true;
		s->nth = UINT32_MAX;
		vec_push(&x->owner->inner, s);
	}
	vec_release(&cs);
	return CXChildVisit_Continue;
}

static void search_expression(struct build *b, struct st *s, CXCursor c)
{
	struct inner_search x = { b, s };

	if (find_inner(c, c, &x) == CXChildVisit_Recurse)
		CLANG(visitChildren)(c, find_inner, &x);
}

static enum CXChildVisitResult find_variable(CXCursor c, CXCursor parent, CXClientData data)
{
	enum CXCursorKind k = CLANG(getCursorKind)(c);
	bool *found = data;

	UNUSED(parent);
	if (k == CXCursor_DeclRefExpr) {
		enum CXCursorKind d = CLANG(getCursorKind)(CLANG(getCursorReferenced)(c));

		*found |= d != CXCursor_EnumConstantDecl && d != CXCursor_FunctionDecl;
	}
	*found |= k == CXCursor_CallExpr || k == CXCursor_StmtExpr || k == CXCursor_UnexposedStmt ||
		  k == CXCursor_CompoundLiteralExpr;
	return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* An expression without the casts that nobody wrote. */
static CXCursor uncast(CXCursor c)
{
	while (CLANG(getCursorKind)(c) == CXCursor_UnexposedExpr) {
		struct cursors cs = {0};
		bool one;

		ast__children(&cs, c);
		if ((one = cs.n == 1))
			c = cs.v[0];
		vec_release(&cs);
		if (!one)
			break;
	}
	return c;
}

bool ast__is_local(CXCursor c)
{
	enum CXCursorKind k;

	while ((k = CLANG(getCursorKind)(c)) == CXCursor_UnexposedExpr || k == CXCursor_ParenExpr) {
		struct cursors cs = {0};
		uint32_t n;

		ast__children(&cs, c);
		if ((n = cs.n) == 1)
			c = cs.v[0];
		vec_release(&cs);
		if (n != 1)
			return false;
	}
	if (k == CXCursor_DeclRefExpr) {
		CXCursor d = CLANG(getCursorReferenced)(c);
		enum CX_StorageClass sc = CLANG(Cursor_getStorageClass)(d);

		k = CLANG(getCursorKind)(d);
		if (k != CXCursor_ParmDecl && k != CXCursor_VarDecl)
			return false;
		return CLANG(getCursorLinkage)(d) == CXLinkage_NoLinkage &&
		       (sc == CX_SC_None || sc == CX_SC_Auto || sc == CX_SC_Register);
	}
	return false;
}

bool ast__has_address(const struct ast_func *f, const char *text, size_t n)
{
	const char *p = f->file->text + f->begin, *end = f->file->text + f->end;

	while ((p = memchr(p, '&', (size_t)(end - p)))) {
		for (p++; p < end && (*p == ' ' || *p == '('); p++)
			;
		if ((size_t)(end - p) >= n && memcmp(p, text, n) == 0)
			return true;
	}
	return false;
}

/* Is the value the same before and after any call? */
static bool is_plain(struct build *b, const struct st *s, CXCursor value)
{
	const struct ast_func *f = &b->sf->f;
	bool found = false;

	if (find_variable(value, value, &found) != CXChildVisit_Break)
		CLANG(visitChildren)(value, find_variable, &found);
	if (!found)
		return true;
	return CLANG(getCursorKind)(value) != CXCursor_CallExpr &&
	       s->vend <= f->file->n && ast__is_local(value) &&
	       !ast__has_address(f, f->file->text + s->vbegin, s->vend - s->vbegin);
}

static enum st_kind kind_of(enum CXCursorKind k)
{
	switch (k) {
	case CXCursor_CompoundStmt: return ST_COMPOUND;
	case CXCursor_IfStmt: return ST_IF;
	case CXCursor_WhileStmt: return ST_WHILE;
	case CXCursor_DoStmt: return ST_DO;
	case CXCursor_ForStmt: return ST_FOR;
	case CXCursor_SwitchStmt: return ST_SWITCH;
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt: return ST_CASE;
	case CXCursor_LabelStmt: return ST_LABEL;
	case CXCursor_ReturnStmt: return ST_RETURN;
	case CXCursor_BreakStmt:
	case CXCursor_ContinueStmt:
	case CXCursor_GotoStmt:
	case CXCursor_IndirectGotoStmt: return ST_JUMP;
	case CXCursor_DeclStmt: return ST_DECL;
	case CXCursor_NullStmt: return ST_NULL;
	case CXCursor_UnexposedStmt: return ST_ATTR;
	default: return ST_OTHER;
	}
}

static void add_kid(struct build *b, struct st *s, CXCursor c)
{
	struct st *kid = statement(b, c, s);

	if (!kid)
		return;
	kid->nth = s->kids.n;
	vec_push(&s->kids, kid);
}

static void set_value(struct build *b, struct st *s, CXCursor c)
{
	CXSourceRange r = CLANG(getCursorExtent)(c);

	s->vbegin = ast__place(CLANG(getRangeStart)(r)).offset;
	s->vend = ast__place(CLANG(getRangeEnd)(r)).offset;
	s->plain = is_plain(b, s, c);
	c = uncast(c);
	s->comma = CLANG(getCursorKind)(c) == CXCursor_BinaryOperator &&
		CLANG(getCursorBinaryOperatorKind)(c) == CXBinaryOperator_Comma;
}

/* Tells parts that are statements from expressions. */
static void add_parts(struct build *b, struct st *s, const struct cursors *cs)
{
	uint32_t first = cs->n, last = cs->n;	/* the controlled statements */

	if (s->kind == ST_COMPOUND)
		first = 0;
	else if (s->kind == ST_IF)
		first = 1;
	else if (s->kind == ST_DO)
		first = 0, last = MIN(cs->n, 1);
	else if (s->kind <= ST_LABEL)
		first = cs->n ? cs->n - 1 : 0;
	for (uint32_t i = 0; i < cs->n; i++) {
		if (i >= first && i < last)
			add_kid(b, s, cs->v[i]);
		else if (s->kind == ST_FOR && i == 0 && CLANG(getCursorKind)(cs->v[i]) == CXCursor_DeclStmt)
			add_decls(b, s, cs->v[i]);
		if (i < first || i >= last)
			search_expression(b, s, cs->v[i]);
	}
	if (s->kind == ST_RETURN && cs->n)
		set_value(b, s, cs->v[0]);
}

static struct st *statement(struct build *b, CXCursor c, struct st *parent)
{
	CXSourceRange r = CLANG(getCursorExtent)(c);
	struct place begin = ast__place(CLANG(getRangeStart)(r)), end = ast__place(CLANG(getRangeEnd)(r));
	struct cursors cs = {0};
	struct st *s;

	if (b->depth >= DEPTH_MAX) {
		b->too_deep = true;
		return NULL;
	}
	b->depth++;
	s = arena_new(&b->a->arena, struct st);
	s->kind = kind_of(CLANG(getCursorKind)(c));
	s->begin = begin.offset;
	s->end = end.offset;
	s->macro_begin = begin.macro;
	s->macro_end = end.macro;
	s->parent = parent;
	s->outside = !CLANG(File_isEqual)(begin.file, b->sf->file) ||
		!CLANG(File_isEqual)(end.file, b->sf->file) ||
		     s->end > b->sf->f.file->n || s->begin > s->end;
	if (s->kind == ST_COMPOUND && !s->outside) {
		s->macro_begin |= b->sf->f.file->text[s->begin] != '{';
		s->macro_end |= !s->end || b->sf->f.file->text[s->end - 1] != '}';
	}
	vec_push(&b->sf->f.all, s);
	ast__children(&cs, c);
	if (s->kind == ST_DECL)
		add_decls(b, s, c);
	add_parts(b, s, &cs);
	if (CLANG(getCursorKind)(c) == CXCursor_DefaultStmt)
		for (struct st *p = parent; p; p = p->parent)
			if (p->kind == ST_SWITCH) {
				p->has_default = true;
				break;
			}
	vec_release(&cs);
	b->depth--;
	return s;
}

/* ---- functions ---- */

/* The name that the compiler has for the file of a place, absolute; *delta: how its lines are numbered
 * otherwise. */
static const char *shown_at(struct ast *a, CXSourceLocation l, int64_t *delta)
{
	CXString name;
	unsigned line, here;
	char *path;
	const char *shown;

	CLANG(getPresumedLocation)(l, &name, &line, NULL);
	CLANG(getExpansionLocation)(l, NULL, &here, NULL, NULL);
	path = path_from(a->dir, ast__string(a, name));
	shown = arena_strdup(&a->arena, path);	/* plumb-ignore: the arena of a holds all its chunks */
	free(path);
	*delta = (int64_t)line - here;
	return shown;
}

/* Why a function of a generated file cannot be edited; NULL: its source is there, has the same lines, and no
 * other part of the generated file is to be edited. */
static const char *refuse_generated(struct ast *a, const struct source_func *sf, CXSourceLocation end)
{
	struct ast_file *f = sf->f.file;
	int64_t delta;
	const char *shown = shown_at(a, end, &delta);
	bool apart = true;

	for (uint32_t i = 0; i < a->files.n; i++)
		apart &= a->files.v[i] == f || !str_eq(a->files.v[i]->path, f->path) ||
			!(f->shown || a->files.v[i]->origin);
	if (apart && !f->shown)
		return NULL;
	if (apart && delta == f->delta && str_eq(shown, f->shown) &&
	    (f->origin = origin_find(f, sf->f.begin, sf->f.end, &a->arena)))
		return NULL;
	return "the file is generated from another one (#line)";
}

/* The type of a variable for what the function returns: neither const, which could not be set, nor atomic.
 * As the author writes it, where C has two words. */
static const char *result_type(struct ast *a, const struct source_func *sf)
{
	CXType t = CLANG(getUnqualifiedType)(CLANG(getCursorResultType)(sf->cursor));
	CXType atomic = CLANG(Type_getValueType)(t);
	CXType plain = atomic.kind == CXType_Invalid ? t : CLANG(getUnqualifiedType)(atomic);
	const char *s = ast__string(a, CLANG(getTypeSpelling)(plain));
	const struct st *body = sf->f.body;
	bool has_head = body && !body->outside && body->begin >= sf->f.begin;

	return str_eq(s, "_Bool") && has_head && lay_has_word(sf->f.file, sf->f.begin, body->begin, "bool")
	       ? "bool" : s;
}

static void read_body(struct ast *a, struct source_func *sf)
{
	struct build b = { .a = a, .sf = sf };
	CXSourceRange r = CLANG(getCursorExtent)(sf->cursor);
	struct place begin = ast__place(CLANG(getRangeStart)(r)), end = ast__place(CLANG(getRangeEnd)(r));
	struct ast_func *f = &sf->f;
	struct cursors cs = {0};

	sf->read = true;
	f->begin = begin.offset;
	f->end = end.offset;
	if (begin.offset > end.offset || end.offset > f->file->n ||
	    !CLANG(File_isEqual)(begin.file, sf->file) ||
	    !CLANG(File_isEqual)(end.file, sf->file)) {
		f->refused = "the function is spread over several files";
		return;
	}
	f->ast = a;
	f->is_old = a->is_old;
	f->decls_first = a->decls_first;
	ast__children(&cs, sf->cursor);
	for (uint32_t i = 0; i < cs.n; i++) {
		enum CXCursorKind k = CLANG(getCursorKind)(cs.v[i]);

		if (k == CXCursor_ParmDecl) {
			struct st_decl *d = vec_add(&f->params, 1);

			add_decl(a, &d, cs.v[i]);
		} else if (k == CXCursor_CompoundStmt) {
			f->body = statement(&b, cs.v[i], NULL);
		}
	}
	vec_release(&cs);
	f->result = result_type(a, sf);
	if (CLANG(Location_isInSystemHeader)(CLANG(getCursorLocation)(sf->cursor)))
		f->refused = "it is in a system header";
	else if (!f->refused)
		f->refused = refuse_generated(a, sf, CLANG(getRangeEnd)(r));
	if (b.too_deep)
		f->refused = "its statements are nested too deeply";
	else if (!f->body || f->body->outside || f->body->macro_begin || f->body->macro_end)
		f->refused = "the function is made by a macro";
}

static enum CXChildVisitResult add_top(CXCursor c, CXCursor parent, CXClientData data)
{
	enum CXCursorKind k = CLANG(getCursorKind)(c);
	struct ast *a = data;
	struct place p;
	bool is_new;

	UNUSED(parent);
	a->order++;
	if (k == CXCursor_EnumDecl)
		return CXChildVisit_Recurse;
	if (k == CXCursor_FunctionDecl || k == CXCursor_VarDecl || k == CXCursor_TypedefDecl ||
	    k == CXCursor_EnumConstantDecl) {
		const char *name = ast__string(a, CLANG(getCursorSpelling)(c));
		uint32_t *order = namemap_put(&a->names, name, &is_new);

		if (is_new)
			*order = a->order;
		if (k == CXCursor_FunctionDecl && CLANG(isCursorDefinition)(c)) {
			struct source_func *sf = arena_new(&a->arena, struct source_func);

			p = ast__place(CLANG(getCursorLocation)(c));
			sf->cursor = c;
			sf->file = p.file;
			sf->f.name = name;
			sf->f.line = p.line;
			sf->f.order = a->order;
			vec_push(&a->funcs, sf);
		}
	}
	return CXChildVisit_Continue;
}

struct ast_func *ast_func(struct ast *a, const char *file, const char *name, uint32_t line)
{
	char *path = path_from(a->dir, file);
	struct ast_func *found = NULL;

	for (uint32_t i = 0; !found && i < a->funcs.n; i++) {
		struct source_func *sf = a->funcs.v[i];
		const char *shown;
		int64_t delta;

		if (!str_eq(sf->f.name, name) || sf->f.line != line || !sf->file)
			continue;
		shown = shown_at(a, CLANG(getCursorLocation)(sf->cursor), &delta);
		if (!str_eq(shown, path))
			continue;
		sf->f.file = file_get(a, sf->file, shown, delta);
		if (!sf->read)
			read_body(a, sf);
		found = &sf->f;
	}
	free(path);
	if (!found)
		error_set("the source has no function %s() at line %u any more, "
			  "or a macro made it", name, line);
	return found;
}

CXCursor ast__cursor(const struct ast *a, const struct ast_func *f)
{
	uint32_t i = 0;

	while (i < a->funcs.n && &a->funcs.v[i]->f != f)
		i++;
	assert(i < a->funcs.n);
	return a->funcs.v[i]->cursor;
}

/* ---- names ---- */

bool ast_declared(const struct ast *a, const struct ast_func *f, const char *name)
{
	const uint32_t *order = namemap_get(&a->names, name);

	return order && (!f || *order <= f->order);
}

#define FIND(list, what) \
	for (uint32_t k = (list).n; k-- > 0;) \
		if (str_eq((list).v[k].name, what)) \
			return &(list).v[k]

const struct st_decl *ast_visible(const struct ast_func *f, const struct st *s, bool before, const char *name)
{
	for (; s; before = true, s = s->parent) {
		const struct st *p = s->parent;

		if (p && p->kind == ST_FOR)
			FIND(p->decls, name);
		if (!p || p->kind != ST_COMPOUND)
			continue;
		for (uint32_t i = MIN(s->nth, p->kids.n) + !before; i-- > 0;) {
			const struct st *d = p->kids.v[i];

			/* a declaration may stand under a label */
			while ((d->kind == ST_LABEL || d->kind == ST_CASE) && d->kids.n)
				d = d->kids.v[0];
			if (d->kind == ST_DECL)
				FIND(d->decls, name);
		}
	}
	FIND(f->params, name);
	return NULL;
}

/* ---- a unit ---- */

/* The compiler's own headers.  libclang looks for them from where it really is, which is not always beside
 * them. */
static void push_resources(struct args *argv)
{
	if (file_exists(PLUMB_CLANG_HEADERS "/include/stddef.h")) {
		args_push(argv, "-resource-dir");
		args_push(argv, PLUMB_CLANG_HEADERS);
	}
}

static void push_words(struct args *argv, const struct unit *u, bool targets)
{
	static const char *const fixed[] = {
		"--no-default-config", "-w", "-Wno-everything", "-ferror-limit=0"
	};

	push_resources(argv);
	for (uint32_t i = 0; i < u->flags.n; i++)
		if (targets || !(str_starts(u->flags.v[i], "-m") || str_starts(u->flags.v[i], "--target=")))
			cmd_flag_for_clang(argv, u->flags.v[i]);
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
		args_push(argv, fixed[i]);
	args_push_own(argv, xasprintf("-working-directory=%s", u->dir));
	args_push(argv, "-x");
	args_push(argv, "c");
}

/* What the flags say about declarations. */
static void read_flags(struct ast *a, const struct unit *u)
{
	static const char *const old[] = { "c89", "c90", "gnu89", "gnu90", "iso9899:1990", "iso9899:199409" };
	bool wanted = false;

	for (uint32_t i = 0; i < u->flags.n; i++) {
		const char *flag = u->flags.v[i];

		if (str_eq(flag, "-ansi") || str_starts(flag, "-std=") || str_starts(flag, "--std=")) {
			a->is_old = str_eq(flag, "-ansi");
			for (size_t k = 0; k < ARRAY_LEN(old) && !a->is_old; k++)
				a->is_old = str_eq(strchr(flag, '=') + 1, old[k]);
		} else if (str_eq(flag, "-Wdeclaration-after-statement") ||
			   str_eq(flag, "-Wno-declaration-after-statement")) {
			wanted = flag[2] == 'd';
		}
	}
	a->decls_first = wanted || a->is_old;
}

int ast_parse(struct ast **out, const struct unit *u)
{
	struct CXUnsavedFile *files;
	enum CXErrorCode err = CXError_Failure;
	char *path;
	struct ast *a;

	if (clang_load() < 0)
		return -1;
	files = xcalloc(u->ntexts + 1, sizeof(*files));
	for (uint32_t i = 0; i < u->ntexts; i++)
		files[i] = (struct CXUnsavedFile){ u->texts[i].path, u->texts[i].text, u->texts[i].n };
	a = xcalloc(1, sizeof(*a));
	arena_init(&a->arena);
	a->dir = xstrdup(u->dir);
	read_flags(a, u);
	a->index = CLANG(createIndex)(0, 0);
	path = path_from(u->dir, u->path);
	/* a target that this clang does not know: the compilation of the unit dropped its flags, too */
	for (int targets = 1; targets >= 0 && err != CXError_Success; targets--) {
		struct args argv = {0};

		push_words(&argv, u, targets);
		err = CLANG(parseTranslationUnit2)(a->index, path, (const char *const *)argv.v,
						   (int)argv.n, files, u->ntexts,
						   CXTranslationUnit_KeepGoing, &a->unit);
		args_release(&argv);
	}
	free(path);
	free(files);
	if (err != CXError_Success) {
		a->unit = NULL;
		ast_free(a);
		return error_set("libclang cannot read %s", u->file);
	}
	CLANG(visitChildren)(CLANG(getTranslationUnitCursor)(a->unit), add_top, a);
	*out = a;
	return 0;
}

/* Is the message about a line of the source?  One about a flag that clang does not know does not count: it
 * was dropped when the unit was compiled, too. */
static bool is_of_source(CXDiagnostic d)
{
	CXFile file = NULL;

	CLANG(getFileLocation)(CLANG(getDiagnosticLocation)(d), &file, NULL, NULL, NULL);
	return file != NULL;
}

const char *ast_error(struct ast *a)
{
	const char *text = NULL;

	for (unsigned i = 0; i < CLANG(getNumDiagnostics)(a->unit) && !text; i++) {
		CXDiagnostic d = CLANG(getDiagnostic)(a->unit, i);

		if (CLANG(getDiagnosticSeverity)(d) >= CXDiagnostic_Error && is_of_source(d))
			text = ast__string(a, CLANG(getDiagnosticSpelling)(d));
		CLANG(disposeDiagnostic)(d);
	}
	return text;
}

static void func_release(struct ast_func *f)
{
	for (uint32_t i = 0; i < f->all.n; i++) {
		vec_release(&f->all.v[i]->kids);
		vec_release(&f->all.v[i]->inner);
		vec_release(&f->all.v[i]->decls);
	}
	vec_release(&f->all);
	vec_release(&f->params);
}

void ast_free(struct ast *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->funcs.n; i++)
		func_release(&a->funcs.v[i]->f);
	for (uint32_t i = 0; i < a->files.n; i++) {
		free(a->files.v[i]->text);
		vec_release(&a->files.v[i]->lines);
		vec_release(&a->files.v[i]->ifs);
	}
	vec_release(&a->funcs);
	vec_release(&a->files);
	namemap_release(&a->names);
	if (a->unit)
		CLANG(disposeTranslationUnit)(a->unit);
	CLANG(disposeIndex)(a->index);
	free(a->dir);
	arena_release(&a->arena);
	free(a);
}
