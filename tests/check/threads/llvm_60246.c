// llvm/llvm-project 60246: the pointer lies in a union in a struct, the struct is copied with memcpy,
// and freed by the copy.
#include <stdlib.h>
#include <string.h>

struct value {
	int kind;
	union {
		const char *text;
		long number;
	} u;
};

int by_copy_ok(void)
{
	char *text = calloc(5, 1);
	struct value here = { .kind = 1, .u.text = text };
	struct value *there = calloc(1, sizeof(*there));

	if (!there) {
		free(text);
		return -1;
	}
	memcpy(there, &here, sizeof(*there));
	free((void *)there->u.text);
	free(there);
	return 0;
}

int by_copy_bad(void)
{
	char *text = calloc(5, 1); // LEAK(conditional)
	struct value here = { .kind = 1, .u.text = text };
	struct value *there = calloc(1, sizeof(*there));

	if (!there) {
		free(text);
		return -1;
	}
	memcpy(there, &here, sizeof(*there));
	free(there);
	return 0;
}
