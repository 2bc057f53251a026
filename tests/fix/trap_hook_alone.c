// Nothing that the allocator in the variable makes is given back anywhere: free() need not be its partner.
// LEAKS: 1
// EXPECT: refused
// REFUSED: nobody says what releases that which copy\(\) makes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *(*get_memory)(size_t) = malloc;
static char pool[64];

static void *from_pool(size_t n)
{
	return n <= sizeof(pool) ? pool : NULL;
}

void set_memory(void *(*get)(size_t))
{
	get_memory = get;
}

static char *copy(const char *s)
{
	char *p = get_memory(strlen(s) + 1);

	return p ? strcpy(p, s) : NULL;
}

static int length(const char *s)
{
	char *p = copy(s);

	return p ? (int)strlen(p) : -1;
}

int main(void)
{
	printf("%d\n", length("abc"));
	set_memory(from_pool);
	printf("%d\n", length("abcdef"));
	return 0;
}
