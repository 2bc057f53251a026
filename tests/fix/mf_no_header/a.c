// The unit that leaks does not include the header of free.
// LEAKS: 2
// ONCE: ^\+#include <stdlib\.h>$
#include <stdio.h>

char *make_name(int i);
int show(const char *name);

static int show_both(int i)
{
	char *name = make_name(i);

	return show(name) + i;
}

int main(void)
{
	int n = show_both(1) + show_both(2);

	printf("%d\n", n);
	return 0;
}
