/* a flag that says whether the string was made, after a loop that a goto enters in the middle */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int at, fold;

char *next_name(int dir);
int usable(const char *name);

char *find(const char *hint, size_t n, int state)
{
	int match, made;
	char *val, *temp;

	if (state == 0)
		goto inner;
outer:
	if (at >= 10)
		return NULL;
	at++;
inner:
	val = next_name(at);
	if (val == NULL)
		goto outer;
	temp = strrchr(val, '/');
	if (temp) {
		temp++;
		if (fold == 0)
			made = match = strncmp(temp, hint, n) == 0;
		else
			made = match = strncasecmp(temp, hint, n) == 0;
		if (match)
			temp = strdup(temp);
	} else {
		made = match = 0;
	}
	if (match && usable(val)) {
		free(val);
		return temp;
	}
	if (made)
		free(temp);
	free(val);
	return NULL;
}
