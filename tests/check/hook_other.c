// A variable of a library, which a model speaks of: xmlFree frees what is its own.
#include <string.h>

typedef unsigned char xmlChar;
extern void (*xmlFree)(void *);
extern void *(*xmlMalloc)(size_t);
xmlChar *xmlStrdup(const xmlChar *s);

int released(const xmlChar *s)
{
	xmlChar *p = xmlStrdup(s);
	int n;

	if (!p)
		return -1;
	n = p[0];
	xmlFree(p);
	return n;
}

int lost(const xmlChar *s)
{
	xmlChar *p = xmlStrdup(s); // LEAK(conditional)
	int n;

	if (!p)
		return -1;
	n = p[0];
	if (n == 'x')
		return -2;
	xmlFree(p);
	return n;
}

int made(const char *s)
{
	char *p = xmlMalloc(strlen(s) + 1); // LEAK(conditional)

	if (!p)
		return -1;
	strcpy(p, s);
	if (*p == 'x')
		return -2;
	xmlFree(p);
	return 0;
}
