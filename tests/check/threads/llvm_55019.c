// llvm/llvm-project 55019: text is copied into an array beside the pointer; the tool forgot the
// pointer.
#include <stdlib.h>
#include <string.h>

struct tag {
	void *data;
	char name[8];
};

int copied_beside_ok(void)
{
	struct tag t;

	t.data = malloc(1);
	strcpy(t.name, "abc");
	free(t.data);
	return 0;
}

int copied_beside_bad(void)
{
	struct tag t;

	t.data = malloc(1); // LEAK(never-freed)
	strcpy(t.name, "abc");
	return t.name[0];
}

int cleared_over_bad(void)
{
	struct tag t;

	t.data = malloc(1); // LEAK
	memset(&t, 0, sizeof(t));
	free(t.data);
	return t.name[0];
}
