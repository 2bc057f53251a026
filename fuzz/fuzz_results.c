/*
 * fuzz_results.c - results of earlier runs, as a hostile file has them.
 *
 * A file of rubbish is refused by its sum, and entries are not looked at before all
 * that they rest on is found to be the same.  So the input changes a file that is
 * right: it is a list of (position, what to change the byte by), and the sum is
 * put right afterwards.  Both engines must take what they get, and tell it.
 *
 *	make(), drop(), use(), main(): objects that are handed on, counted and lost
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/store.h"
#include "ir/io.h"
#include "path/path.h"
#include "vfg/vfg.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const char program[] =
	"plumb-ir text 1\n"
	"unit 0 \"fz.c\" dir \".\"\n"
	"file f0 \"fz.c\"\n"
	"type t1 = struct \"s\" size 24 {\n"
	"\t+0 name: t6\n"
	"\t+8 refs: t2\n"
	"\t+16 next: t3\n"
	"}\n"
	"type t2 = int \"int\" size 4\n"
	"type t3 = ptr t1 size 8\n"
	"type t4 = int \"char\" size 1 char\n"
	"type t5 = ptr t4 size 8 const\n"
	"type t6 = ptr t4 size 8\n"
	"type t7 = ptr t6 size 8\n"
	"type t8 = func t2 (t5, t2)\n"
	"type t9 = func t3 (t5)\n"
	"type t10 = void \"void\"\n"
	"type t11 = func t10 (t3)\n"
	"type t12 = func t2 (t2, t7)\n"
	"global @last: t3 size 8 static @f0:3:0\n"
	"func @use(ptr, i32) i32: t8 external @f0:14:0 {\n"
	"\tslot $0: t0 size 4 temp retval @?\n"
	"\tslot $1 n: t5 size 8 param 1 @14:21\n"
	"\tslot $2 k: t2 size 4 param 2 @14:28\n"
	"\tslot $3 p: t3 size 8 @16:12\n"
	"\tslot $4 q: t6 size 8 @17:8\n"
	"b0:\n"
	"\tstore ptr $1.n, %0 @?\n"
	"\tstore i32 $2.k, %1 @?\n"
	"\t%2 = load ptr $1.n @16:21\n"
	"\t%3 = call ptr @make(%2) @16:16\n"
	"\tstore ptr $3.p, %3 @16:12\n"
	"\t%4 = load i32 $2.k @17:19\n"
	"\t%5 = sext i64 %4 from 32 @17:19\n"
	"\t%6 = call ptr @malloc(%5) @17:12\n"
	"\tstore ptr $4.q, %6 @17:8\n"
	"\t%7 = load ptr $3.p @18:7\n"
	"\t%8 = cmp ne ptr %7, null @18:7\n"
	"\tcondbr %8, b2, b1 @18:6\n"
	"b1:\n"
	"\tstore i32 $0, -1 @19:3\n"
	"\tbr b8 @19:3\n"
	"b2:\n"
	"\t%9 = load i32 $2.k @20:6\n"
	"\t%10 = cmp slt i32 %9, 3 @20:8\n"
	"\tcondbr %10, b3, b4 @20:6\n"
	"b3:\n"
	"\t%11 = load ptr $4.q @21:8\n"
	"\tcall void @free(%11) @21:3\n"
	"\tbr b4 @21:3\n"
	"b4:\n"
	"\t%12 = load i32 $2.k @22:6\n"
	"\t%13 = cmp sgt i32 %12, 10 @22:8\n"
	"\tcondbr %13, b5, b6 @22:6\n"
	"b5:\n"
	"\t%14 = load ptr $3.p @23:10\n"
	"\tstore ptr @last, %14 @23:8\n"
	"\tbr b7 @23:3\n"
	"b6:\n"
	"\t%15 = load ptr $3.p @25:8\n"
	"\tcall void @drop(%15) @25:3\n"
	"\tbr b7 @?\n"
	"b7:\n"
	"\tstore i32 $0, 0 @26:2\n"
	"\tbr b8 @26:2\n"
	"b8:\n"
	"\t%16 = load i32 $0 @27:1\n"
	"\tret %16 @27:1\n"
	"}\n"
	"func @make(ptr) ptr: t9 static @f0:5:0 {\n"
	"\tslot $0: t0 size 8 temp retval @?\n"
	"\tslot $1 n: t5 size 8 param 1 @5:35\n"
	"\tslot $2 p: t3 size 8 @7:12\n"
	"b0:\n"
	"\tstore ptr $1.n, %0 @?\n"
	"\t%1 = call ptr @malloc(24) @7:16\n"
	"\tstore ptr $2.p, %1 @7:12\n"
	"\t%2 = load ptr $2.p @8:7\n"
	"\t%3 = cmp ne ptr %2, null @8:7\n"
	"\tcondbr %3, b2, b1 @8:6\n"
	"b1:\n"
	"\tstore ptr $0, null @9:3\n"
	"\tbr b3 @9:3\n"
	"b2:\n"
	"\t%4 = load ptr $1.n @10:19\n"
	"\t%5 = call ptr @strdup(%4) @10:12\n"
	"\t%6 = load ptr $2.p @10:2\n"
	"\t%7 = field %6, +0 (t1.0) @10:5\n"
	"\tstore ptr %7, %5 @10:10\n"
	"\t%8 = load ptr $2.p @11:2\n"
	"\t%9 = field %8, +8 (t1.1) @11:5\n"
	"\tstore i32 %9, 1 @11:10\n"
	"\t%10 = load ptr $2.p @12:9\n"
	"\tstore ptr $0, %10 @12:2\n"
	"\tbr b3 @12:2\n"
	"b3:\n"
	"\t%11 = load ptr $0 @13:1\n"
	"\tret %11 @13:1\n"
	"}\n"
	"func @drop(ptr) void: t11 static @f0:4:0 {\n"
	"\tslot $0 p: t3 size 8 param 1 @4:28\n"
	"b0:\n"
	"\tstore ptr $0.p, %0 @?\n"
	"\t%1 = load ptr $0.p @4:39\n"
	"\t%2 = field %1, +8 (t1.1) @4:42\n"
	"\t%3 = load i32 %2 @4:37\n"
	"\t%4 = add i32 %3, -1 @4:37\n"
	"\tstore i32 %2, %4 @4:37\n"
	"\t%5 = cmp eq i32 %4, 0 @4:47\n"
	"\tcondbr %5, b1, b2 @4:37\n"
	"b1:\n"
	"\t%6 = load ptr $0.p @4:60\n"
	"\t%7 = field %6, +0 (t1.0) @4:63\n"
	"\t%8 = load ptr %7 @4:63\n"
	"\tcall void @free(%8) @4:55\n"
	"\t%9 = load ptr $0.p @4:75\n"
	"\tcall void @free(%9) @4:70\n"
	"\tbr b2 @4:79\n"
	"b2:\n"
	"\tret @4:81\n"
	"}\n"
	"func @main(i32, ptr) i32: t12 external @f0:28:0 {\n"
	"\tslot $0: t0 size 4 temp @?\n"
	"\tslot $1 c: t2 size 4 param 1 @28:14\n"
	"\tslot $2 v: t7 size 8 param 2 @28:24\n"
	"b0:\n"
	"\tstore i32 $0, 0 @?\n"
	"\tstore i32 $1.c, %0 @?\n"
	"\tstore ptr $2.v, %1 @?\n"
	"\t%2 = load ptr $2.v @28:40\n"
	"\t%3 = load ptr %2 @28:40\n"
	"\t%4 = load i32 $1.c @28:46\n"
	"\t%5 = call i32 @use(%3, %4) @28:36\n"
	"\tret %5 @28:29\n"
	"}\n"
	"func @malloc(i64) ptr: t0 extern @?\n"
	"func @free(ptr) void: t0 extern @?\n"
	"func @strdup(ptr) ptr: t0 extern @?\n";

static const char models[] =
	"malloc { return new memory; }\n"
	"strdup { return new memory; }\n"
	"free { free arg1; }\n";

enum { HEADER = 16 };	/* magic, sum */

static struct ir_module *m;
static struct model_set *set;
static struct pta *pta;
static struct sbuf right;	/* a file of this program */

static void analyse(struct store *s)
{
	struct path_options po = { .store = s };
	struct vfg_options vo = { .store = s, .jobs = 1 };
	struct path *p = path_new(m, set, pta, &po);
	struct mssa *mssa = mssa_new(pta);
	struct vfg *g = vfg_new(mssa);
	struct findings fs;
	struct vfg_stats stats;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert(f);
	findings_init(&fs);
	path_check(p, &fs, NULL, NULL);
	path_dump_summaries(p, f);
	vfg_check(g, &fs, &vo, &stats);
	fclose(f);
	free(text);
	findings_release(&fs);
	vfg_free(g);
	mssa_free(mssa);
	path_free(p);
}

static void prepare(void)
{
	struct store *s = store_new();

	set = model_set_new();
	if (model_parse(set, models, sizeof(models) - 1, "models") < 0 ||
	    ir_parse(&m, program, sizeof(program) - 1, "program") < 0) {
		fprintf(stderr, "%s\n", error_last());
		abort();
	}
	pta = pta_new(m, set);
	analyse(s);
	store_print(s, &right);
	store_free(s);
	assert(right.n > HEADER);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct store *s = store_new();
	struct sbuf b = {0}, sum = {0};

	if (!m)
		prepare();
	sbuf_add(&b, right.s, right.n);
	for (size_t i = 0; i + 3 <= n && i < 60; i += 3)
		b.s[HEADER + (data[i] << 8 | data[i + 1]) % (b.n - HEADER)] ^= (char)data[i + 2];
	put_u64(&sum, hash_bytes(b.s + HEADER, b.n - HEADER, 0));
	memcpy(b.s + 8, sum.s, 8);
	if (store_parse(s, b.s, b.n) == 0)
		analyse(s);
	store_free(s);
	sbuf_release(&b);
	sbuf_release(&sum);
	return 0;
}
