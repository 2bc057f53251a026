// The allocator is in a variable that others may set: what it makes is released by its partner, never by free().
// LEAKS: 2
// ONCE: ^\+.*give_back\(p\);
// NEVER: ^\+.*\bfree\(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *(*get_memory)(size_t) = malloc;
static void (*give_back)(void *) = free;
static int balance;

static void *counting_get(size_t n)
{
	balance++;
	return malloc(n);
}

static void counting_give(void *p)
{
	balance--;
	free(p);
}

void set_memory(void *(*get)(size_t), void (*give)(void *))
{
	get_memory = get;
	give_back = give;
}

static int length(const char *s, int limit)
{
	char *p = get_memory(strlen(s) + 1);
	int n;

	if (!p)
		return -1;
	strcpy(p, s);
	n = (int)strlen(p);
	if (n > limit)
		return -2;
	give_back(p);
	return n;
}

int main(void)
{
	printf("%d\n", length("abc", 5));
	printf("%d\n", length("abcdef", 5));
	set_memory(counting_get, counting_give);
	printf("%d\n", length("abc", 5));
	printf("%d\n", length("abcdef", 5));
	return 0;
}
