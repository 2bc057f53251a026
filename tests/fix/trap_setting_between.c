// Under another setting the object is handed on between the allocation and the place, by another name.
// LEAKS: 1
// EXPECT: refused
// REFUSED: under other settings the code between the allocation and the patch is another \(line 21\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HISTORY
static char *history[10];
static int used;
#endif

static int show(const char *t)
{
	char *line = strdup(t);
	char *text = line;

	if (!line)
		return -1;
#ifdef HISTORY
	history[used++ % 10] = text;
#endif
	puts(line);
	return (int)strlen(text);
}

int main(void)
{
	return show("one") == 3 ? 0 : 1;
}
