// A status variable carries the outcome of three steps to the end.
#include <stdlib.h>
#include <string.h>

enum status { ST_OK, ST_NOMEM, ST_SYNTAX, ST_RANGE };

int parse_number(const char *s);

enum status load_ok(const char *s, char **out)
{
	enum status st = ST_OK;
	char *buf = strdup(s);

	if (!buf)
		st = ST_NOMEM;
	if (st == ST_OK && !strchr(buf, '='))
		st = ST_SYNTAX;
	if (st == ST_OK && parse_number(s) > 99)
		st = ST_RANGE;
	if (st == ST_OK)
		*out = buf;
	else
		free(buf);
	return st;
}

enum status load_bad(const char *s, char **out)
{
	enum status st = ST_OK;
	char *buf = strdup(s); // LEAK(conditional)

	if (!buf)
		st = ST_NOMEM;
	if (st == ST_OK && !strchr(buf, '='))
		st = ST_SYNTAX;
	if (st == ST_OK && parse_number(s) > 99)
		st = ST_RANGE;
	if (st == ST_OK)
		*out = buf;
	else if (st == ST_SYNTAX)
		free(buf);
	return st;
}
