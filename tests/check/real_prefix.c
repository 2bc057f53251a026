/* a copy of a constant "NAME=" has a `=', so that the function that looks for it keeps the copy */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char *env[10];

static int assignment(const char *s)
{
	unsigned char c = s[0];
	int i = 0;

	if (!isalpha(c) && c != '_')
		return 0;
	while ((c = s[i])) {
		if (c == '=')
			return i;
		if (!isalnum(c) && c != '_')
			return 0;
		i++;
	}
	return 0;
}

static void supersede(char *assign, int at)
{
	if (assignment(assign) == 0)
		return;
	free(env[at]);
	env[at] = assign;
}

static void update(const char *prefix, size_t n, const char *value)
{
	char *var = malloc((value ? strlen(value) : 0) + n + 1); // FP(conditional)

	if (!var)
		abort();
	strcpy(var, prefix);
	if (value)
		strcpy(var + n, value);
	supersede(var, value ? 1 : 0);
}

void changed(const char *dir)
{
	update("PWD=", 4, dir);
}
