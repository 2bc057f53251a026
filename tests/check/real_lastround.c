/* the last round of a loop that counts is the one behind which the count is at its end */
#include <stdlib.h>

struct slot { int type; void *data; };

int translate(const char *seq, char *keys, int *n);

static int bind_ok(struct slot *map, const char *seq, char *data)
{
	char keys[100];
	int n, i;

	if (translate(seq, keys, &n) || n < 1) {
		free(data);
		return -1;
	}
	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)keys[i];

		if (i + 1 < n) {
			map[c].type = 1;
			map = map[c].data;
		} else {
			map[c].data = data;
		}
	}
	return 0;
}

static int bind_bad(struct slot *map, const char *seq, char *data)
{
	char keys[100];
	int n, i;

	if (translate(seq, keys, &n) || n < 1) {
		free(data);
		return -1;
	}
	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)keys[i];

		if (i + 1 < n) {
			map[c].type = 1;
			map = map[c].data;
		} else if (map[c].type != 2) {
			map[c].data = data;
		}
	}
	return 0;
}

int macro_ok(struct slot *map, const char *seq)
{
	char *text = malloc(10); // FP(conditional,path)

	if (!text)
		return -1;
	return bind_ok(map, seq, text);
}

int macro_bad(struct slot *map, const char *seq)
{
	char *text = malloc(10); // LEAK(conditional)

	if (!text)
		return -1;
	return bind_bad(map, seq, text);
}
