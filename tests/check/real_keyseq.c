/* false: a sequence that is not empty gives at least one key, so that the last round keeps the value */
#include <stdlib.h>
#include <string.h>

struct slot { int type; void *data; };
struct map { struct slot slots[257]; };

static int translate(const char *seq, char *array, int *len)
{
	int i, l, control = 0;
	unsigned char c;

	for (i = l = 0; (c = seq[i]) || control; i++) {
		if (c == '\\' && seq[i + 1] != '\0') {
			c = seq[++i];
			if (c == 'C' && seq[i + 1] == '-') {
				i++;
				control = 1;
				continue;
			}
		}
		if (control) {
			c &= 0x1f;
			control = 0;
		}
		array[l++] = c;
		if (seq[i] == '\0')
			break;
	}
	*len = l;
	array[l] = '\0';
	return 0;
}

static int bind(int type, const char *seq, char *data, struct map *map)
{
	char *keys;
	int n, i;

	if (seq == NULL || *seq == '\0') {
		if (type == 1)
			free(data);
		return -1;
	}
	keys = malloc(1 + 2 * strlen(seq));
	if (!keys)
		abort();
	if (translate(seq, keys, &n)) {
		free(keys);
		return -1;
	}
	for (i = 0; i < n; i++) {
		unsigned char c = keys[i];
		if (i + 1 < n) {
			if (map->slots[c].type != 2) {
				map->slots[c].type = 2;
				map->slots[c].data = calloc(1, sizeof(*map));
				if (!map->slots[c].data)
					abort();
			}
			map = map->slots[c].data;
		} else {
			if (map->slots[c].type == 1)
				free(map->slots[c].data);
			map->slots[c].data = data;
			map->slots[c].type = type;
		}
	}
	free(keys);
	return 0;
}

struct map top;

int macro_bind(const char *seq, const char *macro)
{
	char *keys = malloc(2 * strlen(macro) + 1); // FP(conditional,vfg,path)
	int n;

	if (!keys)
		abort();
	if (translate(macro, keys, &n)) {
		free(keys);
		return -1;
	}
	bind(1, seq, keys, &top);
	return 0;
}
