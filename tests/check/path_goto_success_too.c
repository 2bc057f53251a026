// Success falls through the clean-up too: what is handed out is set to null before.
#include <stdlib.h>
#include <string.h>

struct key { char *id, *data; };

int import_ok(struct key **out, const char *id, const char *data)
{
	struct key *k = calloc(1, sizeof(*k));
	int ret = -1;

	if (!k)
		goto done;
	if (!(k->id = strdup(id)))
		goto done;
	if (!(k->data = strdup(data)))
		goto done;
	*out = k;
	k = NULL;
	ret = 0;
done:
	if (k) {
		free(k->id);
		free(k->data);
	}
	free(k);
	return ret;
}

int import_bad(struct key **out, const char *id, const char *data)
{
	struct key *k = calloc(1, sizeof(*k));
	int ret = -1;

	if (!k)
		goto done;
	if (!(k->id = strdup(id))) // LEAK(conditional)
		goto done;
	if (!(k->data = strdup(data)))
		goto done;
	*out = k;
	k = NULL;
	ret = 0;
done:
	if (ret < 0 && k)
		free(k->data);
	free(k);
	return ret;
}
