/*
 * u_ir_link.c - linking: each rule of a linker, and the merging of types.
 */
#include "u_ir.h"

#include "base/mem.h"

enum { MAX_UNITS = 8 };

static unsigned dups;

/* Links units given by their texts, named u0, u1, ...; checks what comes out. */
static struct ir_module *link_units(unsigned n, const char *const *texts)
{
	struct ir_module *in[MAX_UNITS] = { NULL }, *out;
	struct sbuf b = {0};

	for (unsigned i = 0; i < n; i++) {
		sbuf_clear(&b);
		sbuf_printf(&b, "unit 0 \"/u%u\" dir \"/\"\n%s", i, texts[i]);
		in[i] = from_text(b.s);
	}
	CHECK(ir_link(&out, in, n, &dups) == 0);
	for (unsigned i = 0; i < n; i++)
		ir_module_free(in[i]);	/* the output must not need them */
	sbuf_release(&b);
	check_valid(out);
	round_trip(out);
	return out;
}
#define LINK(...) link_units(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *), \
			     (const char *[]){ __VA_ARGS__ })

/* Whom function number f calls first, as "name#unit". */
static const char *callee(const struct ir_module *m, uint32_t unit, const char *name)
{
	static char buf[100];

	for (uint32_t i = 0; i < m->funcs.n; i++) {
		const struct ir_func *f = &m->funcs.v[i], *to;

		if (f->unit != unit || !str_eq(f->name, name) || ir_is_decl(f))
			continue;
		for (uint32_t k = 0; k < f->ninsts; k++) {
			if (f->insts[k].op != IR_CALL)
				continue;
			to = ir_callee(m, &f->insts[k]);
			CHECK(to);
			snprintf(buf, sizeof(buf), "%s#%u%s", to->name, to->unit, ir_is_decl(to) ? " declared" : "");
			return buf;
		}
	}
	FAIL("no call in %s of unit %u", name, unit);
}

/* What function user() of a unit returns, as text. */
static const char *returned(const struct ir_module *m, uint32_t unit)
{
	static char buf[100];

	for (uint32_t i = 0; i < m->funcs.n; i++) {
		const struct ir_func *f = &m->funcs.v[i];
		const struct ir_global *g;
		int64_t offset = 0;
		ir_ref r;

		if (f->unit != unit || ir_is_decl(f) || !str_eq(f->src, "user"))
			continue;
		r = f->insts[f->ninsts - 1].ops[0];
		if (IR_KIND(r) == IR_R_ADDR) {
			offset = m->addrs.v[IR_IDX(r)].offset;
			r = m->addrs.v[IR_IDX(r)].base;
		}
		if (IR_KIND(r) == IR_R_FUNC) {
			snprintf(buf, sizeof(buf), "%s#%u", m->funcs.v[IR_IDX(r)].name, m->funcs.v[IR_IDX(r)].unit);
			return buf;
		}
		CHECK_EQ_INT(IR_KIND(r), IR_R_GLOBAL);
		g = &m->globals.v[IR_IDX(r)];
		snprintf(buf, sizeof(buf), "%s#%u+%" PRId64, g->name, g->unit, offset);
		return buf;
	}
	FAIL("no user() in unit %u", unit);
}

#define DEFINE(linkage) "func @f() void " linkage " {\nb0:\n ret\n}\n"
#define CALLS "func @user() void static {\nb0:\n call void @f()\n ret\n}\n"
#define DECLARE "func @f() void extern\n"
#define RETURNS(what) "func @user() ptr static src \"user\" {\nb0:\n ret " what "\n}\n"

TEST(declaration_binds_by_name)
{
	struct ir_module *m = LINK(CALLS DECLARE, DEFINE("external"));

	CHECK_EQ_STR(callee(m, 0, "user"), "f#1");
	CHECK_EQ_INT(m->funcs.n, 2);
	CHECK_EQ_INT(dups, 0);
	ir_module_free(m);
}

TEST(undefined_is_declared_once)
{
	struct ir_module *m = LINK(CALLS "func @f() void extern_weak\n", CALLS "func @f() void extern noreturn\n");

	CHECK_EQ_STR(callee(m, 0, "user"), "f#0 declared");
	CHECK_EQ_STR(callee(m, 1, "user"), "f#0 declared");
	CHECK_EQ_INT(m->funcs.n, 3);
	CHECK_EQ_INT(m->funcs.v[2].linkage, IR_L_DECL);	/* one needs it: it may not be missing */
	CHECK_EQ_INT(m->funcs.v[2].flags, IR_FN_NORETURN);
	ir_module_free(m);
	m = LINK("func @f() void extern_weak\n");
	CHECK_EQ_INT(m->funcs.v[0].linkage, IR_L_DECL_WEAK);
	ir_module_free(m);
}

TEST(strong_beats_weak)
{
	struct ir_module *m = LINK(CALLS DEFINE("weak"), CALLS DEFINE("external"), CALLS DEFINE("weak"));

	CHECK_EQ_STR(callee(m, 0, "user"), "f#1");
	CHECK_EQ_STR(callee(m, 1, "user"), "f#1");
	CHECK_EQ_STR(callee(m, 2, "user"), "f#1");
	CHECK_EQ_INT(m->funcs.n, 4);
	CHECK_EQ_INT(dups, 0);
	ir_module_free(m);
}

TEST(first_weak_wins)
{
	struct ir_module *m = LINK(CALLS DECLARE, DEFINE("weak"), CALLS DEFINE("weak"));

	CHECK_EQ_STR(callee(m, 0, "user"), "f#1");
	CHECK_EQ_STR(callee(m, 2, "user"), "f#1");
	CHECK_EQ_INT(m->funcs.n, 3);
	ir_module_free(m);
}

TEST(statics_stay_apart)
{
	struct ir_module *m = LINK(CALLS DEFINE("static"), CALLS DEFINE("static"), CALLS DEFINE("external"));

	CHECK_EQ_STR(callee(m, 0, "user"), "f#0");
	CHECK_EQ_STR(callee(m, 1, "user"), "f#1");
	CHECK_EQ_STR(callee(m, 2, "user"), "f#2");
	CHECK_EQ_INT(m->funcs.n, 6);
	CHECK_EQ_INT(ir_find_func(m, "f"), 5);
	ir_module_free(m);
}

/* A static does not answer for a declaration elsewhere. */
TEST(static_is_not_seen_outside)
{
	struct ir_module *m = LINK(CALLS DEFINE("static"), CALLS DECLARE);

	CHECK_EQ_STR(callee(m, 1, "user"), "f#1 declared");
	ir_module_free(m);
}

TEST(two_strong_definitions)
{
	struct ir_module *m = LINK(CALLS DECLARE, CALLS DEFINE("external"), CALLS DEFINE("external"),
				   CALLS DEFINE("weak"));

	CHECK_EQ_STR(callee(m, 0, "user"), "f#1");
	CHECK_EQ_STR(callee(m, 1, "user"), "f#1");
	CHECK_EQ_STR(callee(m, 2, "user"), "f#2");
	CHECK_EQ_STR(callee(m, 3, "user"), "f#1");
	CHECK_EQ_INT(dups, 1);
	ir_module_free(m);
}

TEST(commons_merge)
{
	struct ir_module *m = LINK("type t1 = int \"int\" size 4\nglobal @x: t1 size 4 common\n" RETURNS("@x"),
				   "global @x size 8 extern\n" RETURNS("@x"),
				   "type t1 = int \"long\" size 8\nglobal @x: t1 size 8 common\n" RETURNS("@x"),
				   "global @x size 2 common\n" RETURNS("@x"));

	for (uint32_t i = 0; i < 4; i++)
		CHECK_EQ_STR(returned(m, i), "x#0+0");
	CHECK_EQ_INT(m->globals.n, 1);
	CHECK_EQ_INT(m->globals.v[0].size, 8);
	CHECK_EQ_STR(m->types.v[m->globals.v[0].type].name, "long");
	CHECK_EQ_INT(m->globals.v[0].linkage, IR_L_COMMON);
	ir_module_free(m);
}

TEST(common_against_others)
{
	struct ir_module *m;

	m = LINK("global @x size 4 common\n" RETURNS("@x"), "global @x size 4 external\n" RETURNS("@x"));
	CHECK_EQ_STR(returned(m, 0), "x#1+0");
	CHECK_EQ_INT(m->globals.n, 1);
	CHECK_EQ_INT(dups, 0);
	ir_module_free(m);
	m = LINK("global @x size 4 weak\n" RETURNS("@x"), "global @x size 4 common\n" RETURNS("@x"));
	CHECK_EQ_STR(returned(m, 0), "x#1+0");
	ir_module_free(m);
}

/* A function and a variable of one name: neither answers for the other. */
TEST(kinds_do_not_mix)
{
	struct ir_module *m = LINK(RETURNS("@x") "func @x() void extern\n", "global @x size 4 external\n");

	CHECK_EQ_STR(returned(m, 0), "x#0");
	CHECK_EQ_INT(m->funcs.n, 2);
	CHECK(ir_is_decl(&m->funcs.v[1]));
	ir_module_free(m);
}

TEST(aliases)
{
	struct ir_module *m;

	m = LINK(CALLS DECLARE, "alias @f = @real external\nfunc @real() void static {\nb0:\n ret\n}\n");
	CHECK_EQ_STR(callee(m, 0, "user"), "real#1");
	CHECK_EQ_INT(m->funcs.n, 2);
	ir_module_free(m);

	/* within its own unit, where the declaration stands for the alias */
	m = LINK(CALLS DECLARE "alias @f = @real external\nfunc @real() void static {\nb0:\n ret\n}\n");
	CHECK_EQ_STR(callee(m, 0, "user"), "real#0");
	ir_module_free(m);

	/* into a variable, and into that from an address */
	m = LINK("global @x size 4 extern\n" RETURNS("@x+4"),
		 "alias @x = @big+16 external\nglobal @big size 64 external\n");
	CHECK_EQ_STR(returned(m, 0), "big#1+20");
	ir_module_free(m);

	/* from alias to alias */
	m = LINK(CALLS DECLARE, "alias @f = @g external\nfunc @g() void extern\n",
		 "alias @g = @h external\nfunc @h() void external {\nb0:\n ret\n}\n");
	CHECK_EQ_STR(callee(m, 0, "user"), "h#2");
	ir_module_free(m);

	/* round and round: somebody stays declared */
	m = LINK(CALLS DECLARE "alias @f = @g external\nfunc @g() void extern\n",
		 "func @f() void extern\nalias @g = @f external\n");
	CHECK(strstr(callee(m, 0, "user"), " declared"));
	ir_module_free(m);
}

TEST(weak_aliases)
{
	struct ir_module *m;

	m = LINK(CALLS DECLARE "alias @f = @mine weak\nfunc @mine() void static {\nb0:\n ret\n}\n",
		 DEFINE("external"));
	CHECK_EQ_STR(callee(m, 0, "user"), "f#1");
	ir_module_free(m);
	m = LINK(CALLS DECLARE "alias @f = @mine weak\nfunc @mine() void static {\nb0:\n ret\n}\n",
		 CALLS DECLARE);
	CHECK_EQ_STR(callee(m, 0, "user"), "mine#0");
	CHECK_EQ_STR(callee(m, 1, "user"), "mine#0");
	ir_module_free(m);
	/* a strong alias beats a weak function */
	m = LINK(CALLS DEFINE("weak"), "alias @f = @g external\nfunc @g() void static {\nb0:\n ret\n}\n");
	CHECK_EQ_STR(callee(m, 0, "user"), "g#1");
	CHECK_EQ_INT(m->funcs.n, 2);
	ir_module_free(m);
}

TEST(static_alias_is_local)
{
	struct ir_module *m = LINK(CALLS DECLARE "alias @f = @g static\nfunc @g() void static {\nb0:\n ret\n}\n",
				   CALLS DECLARE);

	CHECK_EQ_STR(callee(m, 0, "user"), "g#0");
	CHECK_EQ_STR(callee(m, 1, "user"), "f#1 declared");
	ir_module_free(m);
}

/* An indirect function leads nowhere known. */
TEST(indirect_function_stays_declared)
{
	struct ir_module *m = LINK(CALLS DECLARE, "alias @f = const external\n");

	CHECK_EQ_STR(callee(m, 0, "user"), "f#0 declared");
	ir_module_free(m);
}

TEST(initialisers_and_locals_follow)
{
	struct ir_module *m = LINK("global @table size 16 static {\n+0 8 = @f\n+8 8 = @x+4\n}\n"
				   "global @once size 4 static local in @f src \"n\"\n"
				   DEFINE("weak") "global @x size 8 extern\n",
				   DEFINE("external") "global @x size 8 external {\n+0 8 = -5\n}\n");
	const struct ir_init *init = m->globals.v[0].inits;

	CHECK_EQ_INT(m->funcs.n, 1);
	CHECK_EQ_INT(init[0].value, IR_REF(IR_R_FUNC, 0));
	CHECK_EQ_INT(IR_KIND(init[1].value), IR_R_ADDR);
	CHECK_EQ_INT(m->addrs.v[IR_IDX(init[1].value)].base, IR_REF(IR_R_GLOBAL, 2));
	CHECK_EQ_INT(m->globals.v[1].func, 0);
	CHECK_EQ_STR(m->globals.v[1].src, "n");
	CHECK_EQ_INT(ir_int_value(m, m->globals.v[2].inits[0].value), -5);
	ir_module_free(m);
}

/* Files, models and the rest are there once; positions still name their file. */
TEST(tables_merge)
{
	struct ir_module *m = LINK("file f0 \"/h.h\"\nfile f1 \"/a.c\"\nmodel \"x\"\nmodel \"y\"\n"
				   "global @a size 1 external @f0:1:2\n",
				   "file f0 \"/b.c\"\nfile f1 \"/h.h\"\nmodel \"y\"\nglobal @b size 1 external @f1:3:4\n");

	CHECK_EQ_INT(m->files.n, 3);
	CHECK_EQ_INT(m->models.n, 2);
	CHECK_EQ_STR(m->files.v[m->globals.v[0].pos.file], "/h.h");
	CHECK_EQ_STR(m->files.v[m->globals.v[1].pos.file], "/h.h");
	CHECK_EQ_INT(m->globals.v[1].pos.line, 3);
	CHECK_EQ_INT(m->units.n, 2);
	CHECK_EQ_STR(m->units.v[1].path, "/u1");
	ir_module_free(m);
}

/* ---- the same unit twice --------------------------------------------- */

TEST(repeated_unit_is_taken_once)
{
	struct ir_module *a = from_text("unit 0 \"/a.c\" dir \"/\"\n" CALLS DEFINE("external"));
	struct ir_module *b = write_and_read(a);	/* has a hash, a has none */
	struct ir_module *c = from_text("unit 0 \"/c.c\" dir \"/\"\n" CALLS DEFINE("external"));
	struct ir_module *d = from_text("unit 0 \"/a.c\" dir \"/\"\n" DEFINE("external"));
	struct ir_module *in[] = { a, b, c, a, d, d }, *out;

	CHECK(ir_link(&out, in, ARRAY_LEN(in), &dups) == 0);
	check_valid(out);
	CHECK_EQ_INT(out->units.n, 3);		/* a, c, and d of another content */
	CHECK_EQ_INT(dups, 2);
	ir_module_free(out);
	ir_module_free(a);
	ir_module_free(b);
	ir_module_free(c);
	ir_module_free(d);
}

TEST(linking_what_was_linked)
{
	struct ir_module *a = LINK(CALLS DECLARE, CALLS DEFINE("static")), *b = LINK(DEFINE("external")), *m;
	struct ir_module *in[] = { a, b };

	CHECK(ir_link(&m, in, 2, NULL) == 0);
	check_valid(m);
	CHECK_EQ_INT(m->units.n, 3);
	CHECK_EQ_STR(callee(m, 0, "user"), "f#2");
	CHECK_EQ_STR(callee(m, 1, "user"), "f#1");
	ir_module_free(a);
	ir_module_free(b);
	ir_module_free(m);
}

TEST(nothing_and_one)
{
	struct ir_module *m;

	CHECK(ir_link(&m, NULL, 0, &dups) == 0);
	check_valid(m);
	ir_module_free(m);
	m = LINK(CALLS DEFINE("external"));
	CHECK_EQ_INT(m->funcs.n, 2);
	ir_module_free(m);
}

/* ---- shared libraries ------------------------------------------------- */

/* The program, which exports `names`, and two libraries, which export all but hidden(). */
static struct ir_module *link_scopes(const char *names, const char *program, const char *first, const char *second)
{
	const char *const texts[] = { program, first, second };
	char *exported[] = { (char *)names }, *others[] = { "common", "f", "g" };
	const uint32_t of[] = { 0, 1, 2 };
	struct ir_exports exports[3] = {0};
	struct ir_module *in[3], *out;
	struct sbuf b = {0};

	exports[0].names.v = exported;
	exports[0].names.n = names[0] != 0;
	exports[1].names.v = exports[2].names.v = others;
	exports[1].names.n = exports[2].names.n = ARRAY_LEN(others);
	for (unsigned i = 0; i < 3; i++) {
		sbuf_clear(&b);
		sbuf_printf(&b, "unit 0 \"/u%u\" dir \"/\"\n%s", i, texts[i]);
		in[i] = from_text(b.s);
	}
	CHECK(ir_link_over(&out, in, NULL, 3, &(struct ir_scopes){ of, exports, 3 }, &dups) == 0);
	for (unsigned i = 0; i < 3; i++)
		ir_module_free(in[i]);
	sbuf_release(&b);
	check_valid(out);
	round_trip(out);
	return out;
}

#define FUNC(name, linkage) "func @" name "() void " linkage " {\nb0:\n ret\n}\n"
#define USES(name) "func @user() void static {\nb0:\n call void @" name "()\n ret\n}\n"

TEST(first_library_wins)
{
	struct ir_module *m = link_scopes("", USES("f") DECLARE, USES("f") FUNC("f", "weak"), USES("f") FUNC("f", "external"));

	for (uint32_t i = 0; i < 3; i++)	/* weak or not, and against its own */
		CHECK_EQ_STR(callee(m, i, "user"), "f#1");
	CHECK_EQ_INT(dups, 0);
	ir_module_free(m);
}

TEST(program_wins_if_it_exports)
{
	struct ir_module *m = link_scopes("f", USES("f") FUNC("f", "external"), USES("f") FUNC("f", "external"), USES("f") DECLARE);

	for (uint32_t i = 0; i < 3; i++)
		CHECK_EQ_STR(callee(m, i, "user"), "f#0");
	CHECK_EQ_INT(m->funcs.n, 4);
	ir_module_free(m);
	m = link_scopes("", USES("f") FUNC("f", "external"), USES("f") FUNC("f", "external"), USES("f") DECLARE);
	CHECK_EQ_STR(callee(m, 0, "user"), "f#0");
	CHECK_EQ_STR(callee(m, 1, "user"), "f#1");
	CHECK_EQ_STR(callee(m, 2, "user"), "f#1");
	ir_module_free(m);
}

TEST(hidden_stays_in_its_library)
{
	struct ir_module *m = link_scopes("", USES("hidden") "func @hidden() void extern\n", USES("hidden") FUNC("hidden", "external"),
					  USES("hidden") FUNC("hidden", "external"));

	CHECK_EQ_STR(callee(m, 0, "user"), "hidden#0 declared");
	CHECK_EQ_STR(callee(m, 1, "user"), "hidden#1");
	CHECK_EQ_STR(callee(m, 2, "user"), "hidden#2");
	ir_module_free(m);
}

/* ---- bodies from elsewhere ------------------------------------------- */

static struct ir_module *link_over(const char *unit, const char *other, const char *over)
{
	struct ir_module *in[] = { from_text(unit), from_text(other) }, *with[] = { from_text(over), NULL }, *out;

	CHECK(ir_link_over(&out, in, with, 2, NULL, &dups) == 0);
	for (unsigned i = 0; i < 2; i++) {
		ir_module_free(in[i]);
		ir_module_free(with[i]);
	}
	check_valid(out);
	round_trip(out);
	CHECK_EQ_INT(out->units.n, 2);
	return out;
}

#define STR(text) "type t1 = int \"char\" size 1\ntype t2 = array t1 count 2 size 2\nglobal @.str: t2 size 2 static string text \"" text "\"\n"

TEST(bodies_from_elsewhere)
{
	struct ir_module *m = link_over(	/* user() calls f(), which is static, and g() of the other unit; static h() is new */
		"unit 0 \"/a.c\" dir \"/\"\n" DEFINE("static") CALLS "func @idle() void external {\nb0:\n call void @f()\n ret\n}\n",
		"unit 0 \"/b.c\" dir \"/\"\n" DEFINE("external") "func @g() void external {\nb0:\n ret\n}\n",
		"unit 0 \"/a.c\" dir \"/\"\n" DECLARE "func @g() void extern\nfunc @h() void static {\nb0:\n call void @g()\n ret\n}\n"
		"func @unused() void static {\nb0:\n ret\n}\n"
		"func @user() void static {\nb0:\n call void @h()\n call void @f()\n ret\n}\n");
	const struct ir_func *user = &m->funcs.v[ir_find_func(m, "user")];

	CHECK_EQ_STR(callee(m, 0, "user"), "h#0");
	CHECK_EQ_STR(callee(m, 0, "h"), "g#1");
	CHECK_EQ_STR(callee(m, 0, "idle"), "f#0");
	CHECK_EQ_STR(ir_callee(m, &user->insts[1])->name, "f");
	CHECK_EQ_INT(ir_callee(m, &user->insts[1])->unit, 0);
	CHECK_EQ_INT(m->funcs.n, 6);		/* f, user, idle; f, g; h */
	CHECK_EQ_INT(dups, 0);
	ir_module_free(m);
}

TEST(literals_of_bodies_from_elsewhere)
{
	struct ir_module *m = link_over(	/* names of literals are just numbers */
		"unit 0 \"/a.c\" dir \"/\"\n" STR("a") "global @v: t1 size 1 static src \"v\"\n" RETURNS("@v")
		"func @old() ptr static src \"old\" {\nb0:\n ret @.str\n}\n",
		"unit 0 \"/b.c\" dir \"/\"\n",
		"unit 0 \"/a.c\" dir \"/\"\n" STR("b") "global @w: t1 size 1 static src \"w\"\nglobal @x: t1 size 1 static src \"x\"\n"
		"global @v: t1 size 1 static src \"v\"\n" RETURNS("@.str"));
	const struct ir_func *user = &m->funcs.v[ir_find_func(m, "user")], *old = &m->funcs.v[ir_find_func(m, "old")];

	CHECK_EQ_STR(m->globals.v[IR_IDX(user->insts[0].ops[0])].text, "b");
	CHECK_EQ_STR(m->globals.v[IR_IDX(old->insts[0].ops[0])].text, "a");
	CHECK_EQ_INT(m->globals.n, 3);		/* nobody needs w and x */
	ir_module_free(m);
}

/* ---- types ----------------------------------------------------------- */

#define INT_T "type t1 = int \"int\" size 4\n"
#define NODE "type t2 = struct \"node\" size 16 {\n+0 n: t1\n+8 next: t3\n}\ntype t3 = ptr t2 size 8\n"
#define VAR(name, type) "global @" name ": " type " size 8 external\n"

static uint32_t type_of(const struct ir_module *m, const char *global)
{
	return m->globals.v[ir_find_global(m, global)].type;
}

TEST(equal_types_become_one)
{
	struct ir_module *m = LINK(INT_T NODE VAR("a", "t3"),
				   "type t1 = ptr t3 size 8\ntype t2 = int \"int\" size 4\n"
				   "type t3 = struct \"node\" size 16 {\n+0 n: t2\n+8 next: t1\n}\n" VAR("b", "t1"));

	CHECK_EQ_INT(type_of(m, "a"), type_of(m, "b"));
	CHECK_EQ_INT(m->types.n, 4);
	ir_module_free(m);
}

TEST(other_layout_is_another_type)
{
	struct ir_module *m = LINK(INT_T NODE VAR("a", "t3"),
				   INT_T "type t2 = struct \"node\" size 24 {\n+0 n: t1\n+16 next: t3\n}\n"
				   "type t3 = ptr t2 size 8\n" VAR("b", "t3"),
				   INT_T "type t2 = struct \"node\" size 16 {\n+0 m: t1\n+8 next: t3\n}\n"
				   "type t3 = ptr t2 size 8\n" VAR("c", "t3"),
				   INT_T "type t2 = union \"node\" size 16 {\n+0 n: t1\n+8 next: t3\n}\n"
				   "type t3 = ptr t2 size 8\n" VAR("d", "t3"));

	CHECK(type_of(m, "a") != type_of(m, "b"));
	CHECK(type_of(m, "a") != type_of(m, "c"));
	CHECK(type_of(m, "a") != type_of(m, "d"));
	CHECK(type_of(m, "b") != type_of(m, "c"));
	ir_module_free(m);
}

/* Two structs of one tag and offsets that differ in a member's type. */
TEST(other_member_type_is_another_type)
{
	struct ir_module *m = LINK(INT_T "type t2 = struct \"s\" size 4 {\n+0 n: t1\n}\n" VAR("a", "t2"),
				   "type t1 = int \"float\" size 4\ntype t2 = struct \"s\" size 4 {\n+0 n: t1\n}\n"
				   VAR("b", "t2"));

	CHECK(type_of(m, "a") != type_of(m, "b"));
	ir_module_free(m);
}

TEST(declared_struct_finds_definition)
{
	const char *declares = "type t1 = struct \"node\" declared\ntype t2 = ptr t1 size 8\n" VAR("a", "t2");
	struct ir_module *m = LINK(declares, INT_T NODE VAR("b", "t3"));

	CHECK_EQ_INT(type_of(m, "a"), type_of(m, "b"));
	ir_module_free(m);
	m = LINK(declares, "type t1 = struct \"node\" declared\ntype t2 = ptr t1 size 8\n" VAR("b", "t2"));
	CHECK_EQ_INT(type_of(m, "a"), type_of(m, "b"));
	CHECK_EQ_INT(m->types.n, 3);
	ir_module_free(m);
}

/* A declared struct as a member by value, whose definition holds the first. */
TEST(no_struct_comes_to_contain_itself)
{
	struct ir_module *m = LINK("type t1 = struct \"a\" size 8 {\n+0 b: t2\n}\n"
				   "type t2 = struct \"b\" declared\n" VAR("x", "t1"),
				   "type t1 = struct \"b\" size 8 {\n+0 a: t2\n}\n"
				   "type t2 = struct \"a\" declared\n" VAR("y", "t1"));

	ir_module_free(m);	/* it was valid */
}

TEST(structs_without_tag)
{
	const char *u = INT_T "type t2 = struct size 8 {\n+0 n: t1\n+4 m: t1\n}\n"
			"type t3 = typedef \"pair\" t2 size 8\ntype t4 = ptr t3 size 8\n";
	struct sbuf a = {0}, b = {0};
	struct ir_module *m;

	sbuf_printf(&a, "%s%s", u, VAR("a", "t4"));
	sbuf_printf(&b, "%s%s", u, VAR("b", "t4"));
	m = LINK(a.s, b.s);
	CHECK_EQ_INT(type_of(m, "a"), type_of(m, "b"));
	CHECK_EQ_INT(m->types.n, 5);
	ir_module_free(m);
	sbuf_release(&a);
	sbuf_release(&b);
}

/* Cycles that C cannot make: a pointer to itself, a function returning itself. */
TEST(cycles_without_tag)
{
	struct ir_module *m = LINK("type t1 = ptr t1 size 8\n" VAR("a", "t1"),
				   "type t1 = ptr t2 size 8\ntype t2 = func t1 (t1, t2)\n" VAR("b", "t1"));

	ir_module_free(m);
}

TEST(field_types_follow)
{
	struct ir_module *m = LINK("type t1 = struct \"node\" declared\ntype t2 = ptr t1 size 8\n" VAR("a", "t2"),
				   INT_T NODE "func @f(ptr) ptr external {\n slot $0 p: t3 size 8 param 1\nb0:\n"
				   " %1 = field %0, +8 (t2.1)\n ret %1\n}\n");
	const struct ir_func *f = &m->funcs.v[0];

	CHECK_EQ_STR(m->types.v[f->insts[0].type].name, "node");
	CHECK_EQ_STR(m->types.v[f->insts[0].type].fields[1].name, "next");
	CHECK_EQ_INT(f->slots[0].type, type_of(m, "a"));
	ir_module_free(m);
}
