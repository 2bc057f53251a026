// What find() returns is new, or null, or what it was given: the release asks, as the program does itself on its other way.
// LEAKS: 1
// PATCH: ^\+.*if \(cmd != argv\[0\]\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct child {
	char *name;
};

static const char *find(const char *prog, const char *dir)
{
	size_t n = strlen(dir) + strlen(prog) + 2;
	char *path;

	if (strchr(prog, '/'))
		return prog;
	if (!*prog)
		return NULL;
	path = malloc(n);
	if (!path)
		abort();
	snprintf(path, n, "%s/%s", dir, prog);
	return path;
}

static int start(struct child *c, char **argv)
{
	char *cmd;
	int r;

	cmd = (char *)find(argv[0], "/bin");
	if (!cmd)
		return -1;
	r = puts(cmd) < 0 || strlen(cmd) > 8;
	if (r == 0) {
		free(c->name);
		if (cmd != argv[0])
			c->name = cmd;
		else
			c->name = strdup(cmd);
	}
	return r ? -1 : 0;
}

int main(void)
{
	char *words[] = { (char *)"ls", (char *)"/bin/ls", (char *)"unheard", (char *)"/bin/unheard", (char *)"" };
	struct child c = { NULL };

	for (int i = 0; i < 5; i++)
		printf("%d\n", start(&c, &words[i]));
	free(c.name);
	return 0;
}
