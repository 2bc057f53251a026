// sysprog21/rv32emu 361: the pointer is a member of a union in a struct, and set by the initialiser.
#include <stdlib.h>

struct code {
	char *text;
};

union target {
	struct code *code;
	void *any;
};

struct machine {
	union target at;
};

int by_union_ok(void)
{
	struct machine m = { .at.code = malloc(sizeof(struct code)) };

	free(m.at.code);
	return 0;
}

int by_other_member_ok(void)
{
	struct machine m = { .at.code = malloc(sizeof(struct code)) };

	free(m.at.any);
	return 0;
}

int by_union_bad(int n)
{
	struct machine m = { .at.code = malloc(sizeof(struct code)) }; // LEAK(conditional)

	if (n < 0)
		return n;
	free(m.at.code);
	return 0;
}
