#include <stdlib.h>

char *shared_name;

void name_clear(void)
{
	free(shared_name);
	shared_name = NULL;
}
