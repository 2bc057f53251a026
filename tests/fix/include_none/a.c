/*
 * The file has no #include at all; ours goes behind this comment.
 */
// LEAKS: 1
// ONCE: ^\+#include <stdlib\.h>$
int puts(const char *s);
char *make_name(int i);

static int show(int i)
{
	char *name = make_name(i);

	return puts(name) < 0;
}

int main(void)
{
	return show(1);
}
