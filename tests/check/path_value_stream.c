/* A stream is a local variable that owns something, in a member; the others are the caller's to write. */
#include <stdlib.h>
#include <zlib.h>

int put(const char *b, unsigned n);
int get(char *b, int n);

int unpack_ok(int packed)
{
	char *out = NULL, in[100];
	z_stream s;
	int n = -1;

	if (packed) {
		out = malloc(1000);
		if (!out)
			return -1;
		s.zalloc = 0;
		s.zfree = 0;
		s.opaque = 0;
		s.next_in = 0;
		s.avail_in = 0;
		if (inflateInit2(&s, 15) != Z_OK) {
			free(out);
			return -1;
		}
	}
	while ((n = get(in, 100)) > 0) {
		if (out) {
			s.avail_in = (unsigned)n;
			s.next_in = (unsigned char *)in;
			do {
				s.avail_out = 1000;
				s.next_out = (unsigned char *)out;
				if (inflate(&s, Z_NO_FLUSH) == Z_MEM_ERROR) {
					n = -1;
					goto out;
				}
				put(out, 1000 - s.avail_out);
			} while (s.avail_out == 0);
		}
	}
out:
	if (out) {
		inflateEnd(&s);
		free(out);
	}
	return n;
}

int unpack_bad(char *in, unsigned n)
{
	char out[1000];
	z_stream s = { 0 };

	if (inflateInit(&s) != Z_OK) // LEAK(conditional)
		return -1;
	s.avail_in = n;
	s.next_in = (unsigned char *)in;
	s.avail_out = 1000;
	s.next_out = (unsigned char *)out;
	if (inflate(&s, Z_FINISH) == Z_MEM_ERROR)
		return -1;
	inflateEnd(&s);
	return put(out, 1000 - s.avail_out);
}
