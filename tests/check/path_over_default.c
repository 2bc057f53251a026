// A constructor fills a default, an option overwrites it.
#include <stdlib.h>
#include <string.h>

struct opts { char *prompt; int width; };

static void opts_release(struct opts *o)
{
	free(o->prompt);
}

int start_ok(const char *arg)
{
	struct opts o = { strdup("> "), 80 };
	int r;

	if (arg) {
		free(o.prompt);
		o.prompt = strdup(arg);
	}
	r = o.prompt ? o.prompt[0] : 0;
	opts_release(&o);
	return r;
}

int start_bad(const char *arg)
{
	struct opts o = { strdup("> "), 80 }; // LEAK
	int r;

	if (arg)
		o.prompt = strdup(arg);
	r = o.prompt ? o.prompt[0] : 0;
	opts_release(&o);
	return r;
}
