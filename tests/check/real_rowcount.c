/* false: the loop that frees runs over (rows + 1) * columns elements, the first of which are the
 * names of the columns */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int next_row(void), column_count(void);
extern const char *column_name(int), *column_text(int);
extern volatile int interrupted;

static char *display(const char *s)
{
	if (!s)
		return NULL;
	char *d = strdup(s);
	if (!d)
		exit(1);
	return d;
}

void print_rows(const char *shown)
{
	long rows = 0, i, n, room;
	int columns;
	char **data;
	const char *z, *empty = "";

	if (!next_row())
		return;
	columns = column_count();
	room = columns * 4;
	if (room <= 0)
		room = 1;
	data = malloc(room * sizeof(*data));
	if (!data)
		exit(1);
	for (i = 0; i < columns; i++)
		data[i] = display(column_name(i)); // FP(conditional,path)
	do {
		if ((rows + 2) * columns >= room) {
			room *= 2;
			data = realloc(data, room * sizeof(*data));
			if (!data)
				exit(1);
		}
		rows++;
		for (i = 0; i < columns; i++) {
			const char *u = column_text(i);
			if (!u)
				u = shown;
			data[rows * columns + i] = display(u); // FP(conditional,path)
		}
	} while (next_row());
	if (interrupted)
		goto end;
	for (i = 0; i < columns * (rows + 1); i++)
		puts(data[i] ? data[i] : empty);
end:
	n = (rows + 1) * columns;
	for (i = 0; i < n; i++) {
		z = data[i];
		if (z != empty && z != shown)
			free(data[i]);
	}
	free(data);
}
