/* false: the text is made only where the result is true, and forgotten only where it is false */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <stdbool.h>

struct iri { char *uri_encoding, *orig_url; bool utf8_encode; };

#define xfree(p) do { free((void *)(p)); p = NULL; } while (0)

static bool to_utf8(const struct iri *iri, const char *str, char **new)
{
	if (!iri->uri_encoding)
		return false;
	if (!strcasecmp(iri->uri_encoding, "UTF-8")) {
		for (const unsigned char *p = (const unsigned char *)str; *p; p++)
			if (*p > 127) {
				*new = strdup(str);
				return true;
			}
		return false;
	}
	return false;
}

size_t parse(const char *url, struct iri *iri)
{
	if (iri && iri->utf8_encode) {
		char *new_url = NULL;

		iri->utf8_encode = to_utf8(iri, iri->orig_url ? iri->orig_url : url, &new_url);
		if (!iri->utf8_encode) {
			new_url = NULL;
		} else {
			xfree(iri->orig_url);
			iri->orig_url = strdup(url);
			size_t n = strlen(new_url);
			xfree(new_url);
			return n;
		}
	}
	return 0;
}
