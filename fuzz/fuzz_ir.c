/*
 * fuzz_ir.c - the reader of binary records, and what works on what it lets pass.
 *
 * Header and checksum are put right first, or nothing would get past them.  What
 * can be read must be the same after every way out and in again, must link, and
 * every operand must have a text.
 */
#include "base/error.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "ir/build.h"
#include "ir/code.h"
#include "ir/io.h"

#include <assert.h>
#include <stdlib.h>

static void must(int ret)
{
	if (ret < 0) {
		fprintf(stderr, "%s\n", error_last());
		abort();
	}
}

static void put_number(unsigned char *p, uint64_t x, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (unsigned char)(x >> 8 * i);
}

/* data as a record with a right header; free it. */
static unsigned char *make_record(const uint8_t *data, size_t n, size_t *size)
{
	size_t body = n > HEADER_SIZE ? n - HEADER_SIZE : 0;
	unsigned char *p = xcalloc(1, HEADER_SIZE + body + 8);

	memcpy(p, IR_MAGIC, 8);
	if (body)
		memcpy(p + HEADER_SIZE, data + HEADER_SIZE, body);
	put_number(p + 8, IR_VERSION, 4);
	put_number(p + 16, body, 8);
	put_number(p + 24, hash_bytes(p + HEADER_SIZE, body, 0), 8);
	*size = HEADER_SIZE + (body + 7) / 8 * 8;
	return p;
}

static void rewrite(const struct ir_module *m)
{
	struct sbuf b = {0};
	struct ir_module *r = NULL;
	size_t used;

	ir_write(m, &b);
	must(ir_read(&r, &used, b.s, b.n));
	assert(used == b.n);
	must(ir_equal(m, r));
	ir_module_free(r);
	sbuf_release(&b);
}

static void reparse(const struct ir_module *m)
{
	struct ir_module *r = NULL;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert(f);
	ir_print(m, f, IR_PRINT_ALL);
	fclose(f);
	must(ir_parse(&r, text, n, "text"));
	must(ir_equal(m, r));
	ir_module_free(r);
	free(text);
}

static void relink(struct ir_module *m)
{
	struct ir_module *in[2] = { m, m }, *r;
	unsigned dups;

	ir_link(&r, in, 2, &dups);
	must(ir_verify(r));
	ir_module_free(r);
}

static void tell(const struct ir_module *m, const struct ir_func *f)
{
	struct sbuf b = {0};

	for (uint32_t i = 0; i < f->ninsts; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++) {
			sbuf_clear(&b);
			ir_expr(&b, m, f, f->insts[i].ops[k]);
			ir_expr_lvalue(&b, m, f, f->insts[i].ops[k]);
			ir_expr_cond(&b, m, f, f->insts[i].ops[k], i % 2);
		}
	sbuf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct ir_module *m;
	size_t size, used;
	unsigned char *p;

	if (ir_read(&m, &used, data, n) == 0)	/* as it is: hardly ever a record */
		ir_module_free(m);
	p = make_record(data, n, &size);
	if (ir_read(&m, &used, p, size) == 0) {
		assert(used == size);
		rewrite(m);
		reparse(m);
		relink(m);
		for (uint32_t i = 0; i < m->funcs.n; i++)
			tell(m, &m->funcs.v[i]);
		ir_prune(m);
		must(ir_verify(m));
		ir_module_free(m);
	}
	free(p);
	return 0;
}
