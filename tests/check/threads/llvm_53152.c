// llvm/llvm-project 53152: GCC's malloc(f) and malloc(f, n) name what releases the object, and as
// which of its arguments.
#include <stddef.h>

struct pool;
struct token;

void token_drop(struct token *t);
void token_give(struct pool *p, struct token *t);
struct token *token_new(int n) __attribute__((malloc, malloc(token_drop)));
struct token *token_take(struct pool *p, int n) __attribute__((malloc(token_give, 2)));
int token_size(const struct token *t) __attribute__((pure));

int dropped_ok(int n)
{
	struct token *t = token_new(n);

	if (!t)
		return -1;
	token_drop(t);
	return 0;
}

int kept_bad(int n)
{
	struct token *t = token_new(n); // LEAK(conditional)

	if (!t || n < 0)
		return -1;
	token_drop(t);
	return 0;
}

int given_ok(struct pool *p, int n)
{
	struct token *t = token_take(p, n);

	if (!t)
		return -1;
	token_give(p, t);
	return 0;
}

int not_given_bad(struct pool *p, int n)
{
	struct token *t = token_take(p, n); // LEAK(conditional)

	if (!t || n < 0)
		return -1;
	token_give(p, t);
	return 0;
}

int pool_given_bad(struct pool *p, int n)
{
	struct token *t = token_take(p, n); // FN(vfg): LEAK(never-freed)

	return t ? token_size(t) : -1;
}
