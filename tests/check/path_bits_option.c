// Bits of an option word, tested twice.
#include <stdlib.h>
#include <string.h>

enum { O_COPY = 1, O_UPPER = 2, O_TRIM = 4, O_SORT = 8 };

int handle_ok(const char *s, unsigned opt)
{
	char *work = NULL;
	int n;

	if (opt & (O_UPPER | O_TRIM)) {
		work = strdup(s);
		if (!work)
			return -1;
		s = work;
	}
	n = (int)strlen(s);
	if (opt & O_UPPER)
		n++;
	if (opt & (O_UPPER | O_TRIM))
		free(work);
	return n;
}

int handle_bad(const char *s, unsigned opt)
{
	char *work = NULL;
	int n;

	if (opt & (O_UPPER | O_TRIM)) {
		work = strdup(s); // LEAK(conditional,high) via 0 +1 +6 +8
		if (!work)
			return -1;
		s = work;
	}
	n = (int)strlen(s);
	if (opt & O_UPPER)
		free(work);
	return n;
}

int implied_ok(const char *s, unsigned opt)
{
	char *work;

	if (!(opt & O_COPY))
		return 0;
	work = strdup(s);
	if (!work)
		return -1;
	if (!(opt & (O_COPY | O_SORT)))
		return -2;	/* never: O_COPY is set */
	free(work);
	return 1;
}
