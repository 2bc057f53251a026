// The allocator is in a variable that callers may set: it does as what it begins as.
#include <stdlib.h>
#include <string.h>

void *(*get_memory)(size_t) = malloc;
void *(*more_memory)(void *, size_t) = realloc;
void (*give_back)(void *) = free;

void set_memory(void *(*get)(size_t), void *(*more)(void *, size_t), void (*give)(void *))
{
	get_memory = get;
	more_memory = more;
	give_back = give;
}

int released(const char *s)
{
	char *p = get_memory(strlen(s) + 1);
	int n;

	if (!p)
		return -1;
	strcpy(p, s);
	n = p[0];
	give_back(p);
	return n;
}

int lost(const char *s)
{
	char *p = get_memory(strlen(s) + 1); // LEAK(conditional)
	int n;

	if (!p)
		return -1;
	strcpy(p, s);
	if (p[0] == 'x')
		return -2;
	n = p[0];
	give_back(p);
	return n;
}

int flagged(const char *s, int copied)
{
	char *p = NULL;
	int n = s[0];

	if (copied) {
		p = get_memory(strlen(s) + 1);
		if (!p)
			return -1;
		strcpy(p, s);
		n = p[0];
	}
	if (copied)
		give_back(p);
	return n;
}

int grown(const char *s, size_t more)
{
	char *p = get_memory(strlen(s) + 1), *q; // LEAK(conditional)

	if (!p)
		return -1;
	q = more_memory(p, more);
	if (!q)
		return -1;
	give_back(q);
	return 0;
}

char *handed_out(const char *s)
{
	char *p = get_memory(strlen(s) + 1);

	return p ? strcpy(p, s) : NULL;
}
