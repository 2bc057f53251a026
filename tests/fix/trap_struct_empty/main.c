// The same where the struct is not zeroed: if the call failed, nobody knows what is in it.
// UNITS: main.c
// LEAKS: 1
// EXPECT: refused
// REFUSED: may point to something else
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int pack(const char *text, int level)
{
	z_stream s;
	char *out;
	int ret = 0;

	s.next_in = (const unsigned char *)text;
	s.avail_in = (unsigned)strlen(text);
	deflateInit2_(&s, level, 8, -15, 8, 0, "1", (int)sizeof(s));
	out = s.avail_in > 3 ? NULL : malloc(deflateBound(&s, s.avail_in) + 1);
	if (!out) {
		ret = 7;
	} else {
		strcpy(out, text);
		puts(out);
		free(out);
		deflateEnd(&s);
	}
	return ret;
}

int main(void)
{
	printf("%d %d %d\n", pack("abc", 1), pack("abcd", 1), 0);
	return 0;
}
