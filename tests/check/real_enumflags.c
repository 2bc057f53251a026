/* an enumeration that is used for flags, or that a number is cast to, has other values than its enumerators */
#include <stdlib.h>
#include <string.h>

enum flags { READ = 1, WRITE = 2 };
enum level { LOW, MIDDLE, HIGH };
enum mode { SHOW, HIDE, BOTH };

struct request { enum flags flags; enum level level; enum mode mode; };

void ask(struct request *r, const char *level)
{
	r->flags = READ | WRITE;
	r->level = atoi(level);
	r->mode = BOTH;
}

int or_ed(const struct request *r)
{
	char *s = strdup("x"); // LEAK(conditional)

	switch (r->flags) {
	case READ:
	case WRITE:
		free(s);
		return 1;
	}
	return 0;
}

int cast(const struct request *r)
{
	char *s = strdup("x"); // LEAK(conditional)

	switch (r->level) {
	case LOW:
	case MIDDLE:
	case HIGH:
		free(s);
		return 1;
	}
	return 0;
}

int all_modes(const struct request *r)
{
	char *s = strdup("x");
	int n = 0;

	switch (r->mode) {
	case HIDE:
	case SHOW:
		n = 1;
		/* fallthrough */
	case BOTH:
		free(s);
		break;
	}
	return n;
}

int one_missing(const struct request *r)
{
	char *s = strdup("x"); // LEAK(conditional)

	switch (r->mode) {
	case HIDE:
	case SHOW:
		free(s);
		return 1;
	default:
		return 0;
	}
}
