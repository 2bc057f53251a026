// A static global, a member of one and a static variable own what they point to, and are set
// again: what they held is freed before that.
// LEAKS: 5
// HELD: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *last_error;
static struct { char *host; int port; } conn;

static void set_error(const char *msg)
{
	last_error = strdup(msg);
}

static void show_error(void)
{
	if (last_error)
		printf("error: %s\n", last_error);
}

static int connect_to(const char *host, int port)
{
	char *copy = strdup(host);

	if (!copy)
		return -1;
	conn.host = copy;
	conn.port = port;
	return (int)strlen(conn.host) + conn.port;
}

static int format(int n)
{
	static char *text;

	text = malloc(20);
	if (!text)
		return -1;
	return snprintf(text, 20, "item %d", n);
}

int main(void)
{
	show_error();
	set_error("one");
	set_error("two");
	set_error("three");
	show_error();
	printf("%d %d\n", connect_to("host", 1), connect_to("another", 2));
	printf("%d %d %d\n", format(1), format(22), format(333));
	return 0;
}
