// What is returned is computed from errno, which the release may change.
// LEAKS: 1
// PATCH: ^\+.*fclose\(f\);
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int size_of(const char *path)
{
	FILE *f = fopen(path, "r");
	static char buffer[BUFSIZ];

	if (!f)
		return -errno;
	setbuf(f, buffer);
	errno = 0;
	if (fseek(f, -1, SEEK_SET) < 0)
		return -errno;
	fclose(f);
	return 0;
}

int main(void)
{
	printf("%d\n", size_of("trap_errno.c") == -EINVAL);
	printf("%d\n", size_of("/nonexistent") == -ENOENT);
	return 0;
}
