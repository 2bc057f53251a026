// A text that equals one literal does not equal another, whatever function says so:
// with or without case, whole or its first characters.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct service {
	char *name, *id;
};

void without_case(struct service *s)
{
	s->id = NULL;
	if (strcasecmp(s->name, "time") == 0)
		s->id = strdup("time-stream");
	if (strcasecmp(s->name, "echo") == 0)
		s->id = strdup("echo-stream");
	free(s->id);
}

void case_differs_only(const char *name)
{
	char *p = NULL;

	if (strcasecmp(name, "time") == 0)
		p = strdup(name); // LEAK(overwritten)
	if (strcasecmp(name, "TIME") == 0)
		p = strdup(name);
	free(p);
}

void first_characters(const char *name)
{
	char *p = NULL;

	if (strncmp(name, "-x", 2) == 0)
		p = strdup(name);
	if (strncmp(name, "-yes", 2) == 0)
		p = strdup(name);
	free(p);
}

/* "-xy" begins with "-x", too */
void one_begins_the_other(const char *name)
{
	char *p = NULL;

	if (strncmp(name, "-x", 2) == 0)
		p = strdup(name); // LEAK(overwritten)
	if (strncmp(name, "-xy", 3) == 0)
		p = strdup(name);
	free(p);
}

/* a count beyond the end compares the whole */
void counted_whole(const char *name)
{
	char *p = NULL;

	if (strncasecmp(name, "on", 10) == 0)
		p = strdup(name);
	if (strcasecmp(name, "only") == 0)
		p = strdup(name);
	free(p);
}

void two_literals(void)
{
	char *p = malloc(8);

	if (strcasecmp("Yes", "yES") == 0 && strncmp("yes", "yet", 2) == 0)
		free(p);
}
