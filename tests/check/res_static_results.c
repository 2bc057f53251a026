// Library results that nobody frees.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <pwd.h>

const char *home_ok(void)
{
	const char *h = getenv("HOME");

	return h ? h : "/";
}

int year_ok(time_t t)
{
	struct tm *tm = localtime(&t);

	return tm ? tm->tm_year : 0;
}

void message_ok(int err)
{
	char *m = strerror(err);

	puts(m);
}

int user_ok(const char *name)
{
	struct passwd *pw = getpwnam(name);

	return pw ? (int)pw->pw_uid : -1;
}

int copied_bad(const char *name)
{
	struct passwd *pw = getpwnam(name);
	char *dir = pw ? strdup(pw->pw_dir) : NULL; // LEAK(never-freed)

	return dir && dir[0] == '/';
}
