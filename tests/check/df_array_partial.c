// Undoing a half-filled array after a failure.
#include <stdlib.h>

char **matrix_ok(int n)
{
	char **rows = calloc(n, sizeof(*rows));
	int i;

	if (!rows)
		return NULL;
	for (i = 0; i < n; i++) {
		rows[i] = malloc(n);
		if (!rows[i])
			goto fail;
	}
	return rows;
fail:
	while (i-- > 0)
		free(rows[i]);
	free(rows);
	return NULL;
}

char **rows_lost_bad(int n)
{
	char **rows = calloc(n, sizeof(*rows));
	int i;

	if (!rows)
		return NULL;
	for (i = 0; i < n; i++) {
		rows[i] = malloc(n); // LEAK(conditional)
		if (!rows[i]) {
			free(rows);	/* the earlier rows are lost */
			return NULL;
		}
	}
	return rows;
}

char **array_lost_bad(int n)
{
	char **rows = calloc(n, sizeof(*rows)); // LEAK(conditional)
	int i;

	if (!rows)
		return NULL;
	for (i = 0; i < n; i++) {
		rows[i] = malloc(n);
		if (!rows[i])
			return NULL;
	}
	return rows;
}

int all_but_the_last_bad(int n)
{
	char **rows = calloc(n, sizeof(*rows));
	int i;

	if (!rows)
		return -1;
	for (i = 0; i < n; i++)
		rows[i] = malloc(n); // FN(path): LEAK(conditional)
	for (i = 0; i < n - 1; i++)
		free(rows[i]);
	free(rows);
	return 0;
}
