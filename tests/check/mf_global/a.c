// A global shared by units.
#include <stdlib.h>
#include <string.h>

extern char *shared_name;
void name_clear(void);

void name_set_ok(const char *s)
{
	name_clear();
	shared_name = strdup(s);
}

void name_set_bad(const char *s)
{
	char *copy = strdup(s); // LEAK(conditional)

	if (!copy || !*copy)
		return;
	name_clear();
	shared_name = copy;
}
