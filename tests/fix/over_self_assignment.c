// A setter that may get the value it already has: freed blindly, it would be used
// after the free.
// LEAKS: 1
// HELD: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conf {
	char *name;
};

static void conf_set(struct conf *c, char *name)
{
	c->name = name;
}

static struct conf the_conf;

int main(void)
{
	conf_set(&the_conf, strdup("first"));
	conf_set(&the_conf, the_conf.name);
	printf("%s\n", the_conf.name);
	conf_set(&the_conf, strdup("second"));
	printf("%s\n", the_conf.name);
	return 0;
}
