// RUN: plumb dump ir %s
// Variable arguments: vastart fills the list, clang spells va_arg out.

char *nth(int n, ...)
{
	__builtin_va_list ap, aq;
	char *r = 0;

	__builtin_va_start(ap, n);
	__builtin_va_copy(aq, ap);
	while (n-- > 0)
		r = __builtin_va_arg(ap, char *);
	__builtin_va_end(ap);
	__builtin_va_end(aq);
	return r;
}

extern int print(const char *fmt, ...);

int call(char *s)
{
	return print("%s %d %f", s, 1, 2.0) + (nth(1, s) != s);
}
