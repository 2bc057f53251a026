/* false: where found is a string, t is 0, so that the string is read and freed before found is
 * given another value */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TIMESTRING 0x1
#define PRETTY 0x400
#define BASENAME 0x2

struct entry { const char *value; time_t time; };

extern const char *option(const char *key);
extern struct entry *entry(const char *key);
extern const char *variable(const char *key);

static char *copy(const char *s)
{
	char *c = strdup(s);
	if (!c)
		abort();
	return c;
}

static char *pretty(time_t t)
{
	char s[16];

	if (t < 24 * 3600) {
		snprintf(s, sizeof(s), "%ld s", (long)t);
		return copy(s);
	}
	snprintf(s, sizeof(s), "%ld d", (long)t / 24 / 3600);
	return copy(s);
}

char *look_up(const char *key, int modifiers, const char *format)
{
	const char *o, *v;
	struct entry *e;
	char *found = NULL, *saved, s[64];
	time_t t = 0;
	struct tm tm;

	o = option(key);
	if (o != NULL) {
		found = copy(o);
		goto found;
	}
	e = entry(key);
	if (e != NULL) {
		if (e->time != 0) {
			t = e->time;
			goto found;
		}
		found = copy(e->value);
		goto found;
	}
	if (~modifiers & TIMESTRING) {
		v = variable(key);
		if (v != NULL) {
			found = copy(v);
			goto found;
		}
	}
	return NULL;

found:
	if (modifiers & TIMESTRING) {
		if (t == 0 && found != NULL) {
			t = strtol(found, NULL, 10);
			free(found);
		}
		if (t == 0)
			return NULL;
		if (modifiers & PRETTY) {
			found = pretty(t);
		} else {
			localtime_r(&t, &tm);
			strftime(s, sizeof(s), format, &tm);
			found = copy(s);
		}
		return found;
	}
	if (t != 0) {
		if (asprintf(&found, "%lld", (long long)t) < 0)
			abort();
	} else if (found == NULL) {
		return NULL;
	}
	if (modifiers & BASENAME) {
		saved = found;
		found = copy(strrchr(saved, '/') ? strrchr(saved, '/') + 1 : saved);
		free(saved);
	}
	return found;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *s = look_up(argv[i], argc, "%H");
		if (s)
			puts(s);
		free(s);
	}
	return 0;
}
