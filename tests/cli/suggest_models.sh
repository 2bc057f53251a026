# suggest_models.sh - functions without code or model that look like allocators: one note, with their models.
. "$ROOT/tests/lib.sh"

cat >many.c <<'EOF'
#include <stdlib.h>
#include <string.h>
struct loop;
struct frame;
struct holder { struct frame *frame; int n; };
void *kmalloc(unsigned long n);
void *kzalloc(unsigned long n);
void kfree(void *p);
struct loop *uv_loop_new(void);
void uv_loop_delete(struct loop *l);
struct frame *av_frame_alloc(void);
void av_frame_free(struct frame **f);
char *lib_text(int n);
int k_bad(int n)
{
	char *p = kmalloc(10);

	if (n > 3)
		return 1;
	kfree(p);
	return 0;
}
void *k_ok(void)
{
	return kmalloc(10);
}
void kz_ok(int n)
{
	char *p = n ? kzalloc(3) : NULL;

	kfree(p);
}
int loop_bad(int n)
{
	struct loop *l = uv_loop_new();

	if (n)
		return 1;
	uv_loop_delete(l);
	return 0;
}
void fill_ok(struct holder *h)
{
	h->frame = av_frame_alloc();
}
void drop_ok(struct holder *h)
{
	av_frame_free(&h->frame);
}
int frame_bad(int n)
{
	struct frame *f = av_frame_alloc();

	if (n < 0)
		return -1;
	av_frame_free(&f);
	return 0;
}
int text_bad(int n)
{
	char *t = lib_text(n);

	if (n > 5)
		return 1;
	free(t);
	return 0;
}
EOF

run "$PLUMB" check many.c
expect_status "nothing is known of them: no leak" 0
check "one note" [ "$(grep -c 'note: .*like allocator' .err)" -eq 1 ]
expect_one_line "on one line"
expect_err_has "which names them, those called most often first" \
	'^plumb: note: 5 functions without code or model look like allocators: kmalloc\(\) \(2 calls\), kzalloc\(\) \(1 call\), av_frame_alloc\(\) \(2 calls\), '
sed -n 's/.*if so, put into a file for --model: //p' .err >as-printed.model
cp .err before
run "$PLUMB" check --model as-printed.model many.c
expect_status "the line as printed is a model file" 1
expect_err_lacks "and nothing is left to say" 'like allocator'
for leak in 'many.c:16:12: .* memory allocated by kmalloc is not freed when `n > 3`' \
	    'many.c:35:19: .* allocated by uv_loop_new' 'many.c:52:20: .* allocated by av_frame_alloc' \
	    'many.c:61:12: .* allocated by lib_text'; do
	expect_out_has "found then: $leak" "$leak"
done
check "and no more" [ "$(grep -c ': leak: ' .out)" -eq 4 ]
run "$PLUMB" fix many.c
check "plumb fix says the same" [ "$(grep 'like allocator' .err)" = "$(cat before)" ]
run "$PLUMB" fix --model as-printed.model many.c
expect_out_has "and releases with what the line names" '^\+.*kfree\(p\)'
run "$PLUMB" check -j 3 --no-cache many.c
check "the same each time" [ "$(cat .err)" = "$(cat before)" ]

# ---- more than one line has room for ----

{
	for i in a b c d e f; do
		echo "void *${i}_create(void); void ${i}_destroy(void *);"
		echo "void use_$i(void) { void *p = ${i}_create(); ${i}_destroy(p); }"
	done
} >six.c
run "$PLUMB" check six.c
expect_one_line "still one line"
expect_err_has "which says so" '6 functions .*\.\.\. \(--verbose lists all\)'
run "$PLUMB" check -v six.c
expect_err_has "--verbose has the rest" '^plumb: f_create\(\) \(1 call\): f_create \{ return new memory freed by f_destroy; \} f_destroy \{ free arg1; \}'

# ---- what is no sign ----

cat >none.c <<'EOF'
#include <stdlib.h>
#include <string.h>
struct obj;
const char *obj_name(struct obj *o);
struct obj *obj_find(int n);
int output(const char *s);
void obj_remove_name(struct obj *o, const char *name);
void *mine_alloc(void) { return malloc(3); }
void mine_free(void *p) { free(p); }
struct obj *thing_new(void);
void other_free(struct obj *o);
void names(struct obj *o)
{
	const char *s = obj_name(o);
	char *c;

	output(s);
	c = strdup(s);
	free(c);
}
void own(void)
{
	void *p = mine_alloc();

	mine_free(p);
}
void different(void)
{
	struct obj *o = thing_new();

	other_free(o);
}
void found(int n)
{
	output(obj_name(obj_find(n)));
}
EOF
run "$PLUMB" check none.c
expect_err_lacks "results that are looked at, functions with code, names with nothing in common" 'like allocator'
