/* As much of zlib as is needed here. */
typedef struct z_stream_s {
	const unsigned char *next_in;
	unsigned avail_in;
	struct internal_state *state;
} z_stream;

int deflateInit2_(z_stream *s, int level, int method, int bits, int mem, int strategy, const char *version, int size);
unsigned long deflateBound(z_stream *s, unsigned long n);
int deflateEnd(z_stream *s);
