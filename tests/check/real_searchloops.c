/* loops that search with breaks, then one free */
#include <stdlib.h>
#include <string.h>

struct cell { const char *d; size_t n; };
const char *cell_at(unsigned i, size_t *n);

unsigned find(unsigned ncells, const char *str)
{
	struct cell *cells = reallocarray(NULL, ncells, sizeof(*cells));
	size_t len = strlen(str), pos;
	unsigned cell, c;
	int match;

	if (!cells)
		abort();
	for (cell = 0; cell < ncells; cell++)
		cells[cell].d = cell_at(cell, &cells[cell].n);
	cell = 0;
	while (cell < ncells) {
		c = cell;
		pos = 0;
		match = 1;
		while (c < ncells) {
			if (str[pos] == '\0') {
				match = 0;
				break;
			}
			if (cells[c].n == 1) {
				if (str[pos] != *cells[c].d) {
					match = 0;
					break;
				}
				pos++;
			} else {
				size_t n = cells[c].n;

				if (n > len - pos)
					n = len - pos;
				if (memcmp(str + pos, cells[c].d, n) != 0) {
					match = 0;
					break;
				}
				pos += n;
			}
			c++;
		}
		if (match)
			break;
		cell++;
	}
	free(cells);
	return cell;
}
