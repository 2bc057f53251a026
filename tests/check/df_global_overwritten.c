// A static or global pointer overwritten while it is the only one: all rivals miss these.
#include <stdlib.h>
#include <string.h>

static char *last_error;
static char *prompt;
static struct { char *host; } conn;

void set_error_bad(const char *msg)
{
	last_error = strdup(msg); // FN(path): LEAK(overwritten)
}

void set_prompt_ok(const char *p)
{
	free(prompt);
	prompt = strdup(p);
}

void connect_twice_bad(const char *a, const char *b)
{
	conn.host = strdup(a); // LEAK(overwritten)
	conn.host = strdup(b); // FN(path): LEAK(overwritten)
}

void drop_prompt_bad(void)
{
	static char *text;

	text = malloc(80); // LEAK(overwritten)
	text[0] = 0;
	text = NULL;
}
