/* u_front_unit.c - what a record says about how it was compiled, and what is believed of it. */
#include "unit.h"

#include "base/file.h"
#include "base/sbuf.h"
#include "front/front.h"
#include "ir/build.h"
#include "ir/io.h"

#include <stdlib.h>
#include <unistd.h>

/* One unit, loaded with its parts. */
static void load(struct front_result *r, char *input)
{
	struct front_options o = { .inputs = &input, .ninputs = 1, .keep_parts = true, .no_cache = true };

	CHECK_EQ_INT(front_load(r, &o), 0);
	CHECK_EQ_INT(r->parts.n, 1);
}

/* Loads a record that says that it was compiled so; the flags must come out as `want`. */
static void check_record(struct ir_module *m, const char *flags, const char *want)
{
	struct front_result r;
	struct sbuf b = {0};

	m->units.v[0].flags = ir_intern(m, flags);
	ir_write(m, &b);
	CHECK_EQ_INT(file_write("record", b.s, b.n), 0);
	load(&r, (char[]){ "record" });
	sbuf_clear(&b);
	for (uint32_t i = 0; i < r.parts.v[0].unit.flags.n; i++)
		sbuf_printf(&b, "%s|", r.parts.v[0].unit.flags.v[i]);
	CHECK_EQ_STR(sbuf_str(&b), want);
	sbuf_release(&b);
	front_result_release(&r);
}

TEST(flags_of_a_record)
{
	char dir[] = "/tmp/plumb-u_unit.XXXXXX";
	struct front_result r;

	CHECK(mkdtemp(dir) && chdir(dir) == 0);
	CHECK_EQ_INT(file_write("a.c", "int x;\n", 7), 0);
	load(&r, (char[]){ "a.c" });
	check_record(r.parts.v[0].module, "c\n-DA\n-Ib\n-includec.h\n--target=x86_64-linux-gnu\n", "-DA|-Ib|-includec.h|--target=x86_64-linux-gnu|");
	/* an older plumb wrote values as words of their own */
	check_record(r.parts.v[0].module, "c\n-D\nA=1\n-I\nb\n", "-DA=1|-Ib|");
	check_record(r.parts.v[0].module, "c\n-DA\n-fplugin=./evil.so\n-Xclang\n-load\n-Xclang\n./evil.so\n-oevil\n-MF\nevil\n--target=./evil\n@evil\n", "-DA|");
	check_record(r.parts.v[0].module, "c\n--config=./evil.cfg\n-wrapper\n./evil.sh\n-mllvm\n-load=./evil.so\n-B.\n", "");
	front_result_release(&r);
	CHECK(unlink("a.c") == 0 && unlink("record") == 0 && chdir("/") == 0 && rmdir(dir) == 0);
}
