// Pipes to commands.
#include <stdio.h>
#include <string.h>

int run_ok(const char *cmd)
{
	FILE *p = popen(cmd, "r");
	char line[128];
	int n = 0;

	if (!p)
		return -1;
	while (fgets(line, sizeof(line), p))
		n++;
	pclose(p);
	return n;
}

int run_bad(const char *cmd)
{
	FILE *p = popen(cmd, "r"); // LEAK(conditional)
	char line[128];

	if (!p)
		return -1;
	while (fgets(line, sizeof(line), p))
		if (!strncmp(line, "error", 5))
			return 1;
	pclose(p);
	return 0;
}

int never_bad(const char *cmd)
{
	FILE *p = popen(cmd, "w"); // LEAK(never-freed)

	if (!p)
		return -1;
	return fputs("quit\n", p);
}
