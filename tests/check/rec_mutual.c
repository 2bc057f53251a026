// Mutual recursion: an expression evaluator that allocates on the way.
#include <ctype.h>
#include <stdlib.h>

static long sum(const char **s);

static long atom(const char **s)
{
	long *v = malloc(sizeof(*v));
	long r;

	if (!v)
		return 0;
	if (**s == '(') {
		++*s;
		*v = sum(s);
		if (**s == ')')
			++*s;
	} else {
		*v = strtol(*s, (char **)s, 10);
	}
	r = *v;
	free(v);
	return r;
}

static long sum(const char **s)
{
	long *acc = malloc(sizeof(*acc)); // LEAK(conditional)
	long r;

	if (!acc)
		return 0;
	*acc = atom(s);
	while (**s == '+') {
		++*s;
		*acc += atom(s);
	}
	if (**s && **s != ')')
		return -1;
	r = *acc;
	free(acc);
	return r;
}

long eval(const char *s)
{
	return sum(&s);
}
