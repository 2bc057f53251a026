/*
 * u_ir.h - modules for the tests of src/ir: one made by hand that has everything
 * in it, and any other from its text.
 */
#ifndef TESTS_U_IR_H
#define TESTS_U_IR_H

#include "unit.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/sbuf.h"
#include "ir/build.h"
#include "ir/io.h"

/* The module of a text without its first line. */
static inline __attribute__((unused)) struct ir_module *from_text(const char *body)
{
	struct sbuf b = {0};
	struct ir_module *m;

	sbuf_printf(&b, "plumb-ir text 1\n%s", body);
	if (ir_parse(&m, b.s, b.n, "test") < 0)
		FAIL("%s", error_last());
	sbuf_release(&b);
	return m;
}

/* The text of a module; free it. */
static inline __attribute__((unused)) char *to_text(const struct ir_module *m, int what)
{
	char *s = NULL;
	size_t n;
	FILE *f = open_memstream(&s, &n);

	CHECK(f);
	ir_print(m, f, what);
	fclose(f);
	return s;
}

static inline __attribute__((unused)) struct ir_module *write_and_read(const struct ir_module *m)
{
	struct sbuf b = {0};
	struct ir_module *r;
	size_t used;

	ir_write(m, &b);
	if (ir_read(&r, &used, b.s, b.n) < 0)
		FAIL("%s", error_last());
	CHECK_EQ_INT(used, b.n);
	CHECK_EQ_INT(b.n % 8, 0);
	sbuf_release(&b);
	return r;
}

static inline __attribute__((unused)) void check_equal(const struct ir_module *a, const struct ir_module *b)
{
	if (ir_equal(a, b) < 0)
		FAIL("%s", error_last());
}

static inline __attribute__((unused)) void check_valid(const struct ir_module *m)
{
	if (ir_verify(m) < 0)
		FAIL("%s", error_last());
}

/* Both ways out and in again, and the second time out gives the same. */
static inline __attribute__((unused)) void round_trip(const struct ir_module *m)
{
	struct ir_module *r = write_and_read(m), *again = write_and_read(r), *p;
	struct sbuf a = {0}, b = {0};
	char *text, *text2;

	check_equal(m, r);
	ir_write(m, &a);
	ir_write(again, &b);
	CHECK_EQ_INT(a.n, b.n);
	CHECK(memcmp(a.s, b.s, a.n) == 0);
	text = to_text(m, IR_PRINT_ALL);
	if (ir_parse(&p, text, strlen(text), "text") < 0)
		FAIL("%s", error_last());
	check_equal(m, p);
	text2 = to_text(p, IR_PRINT_ALL);
	CHECK_EQ_STR(text2, text);
	free(text);
	free(text2);
	ir_module_free(p);
	ir_module_free(r);
	ir_module_free(again);
	sbuf_release(&a);
	sbuf_release(&b);
}

#endif
