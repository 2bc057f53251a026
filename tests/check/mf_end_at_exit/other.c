#include <stdio.h>
#include <stdlib.h>

extern char *shown, *taken, *again;

void show_it(void);
void take_it(void);
void take_again(void);

void show_it(void)
{
	char *p = shown;

	puts(p);
}

void take_it(void)
{
	char *p = taken;

	puts(p);
	free(p);
}

void take_again(void)
{
	free(again);
}
