/* false: a list comes only with found != 0, which clearing another bit does not make 0 */
#include <stdlib.h>
#include <string.h>

#define RETRY 0x200

struct list { char *first; };
extern int known(const char *), filter(const char *), ask(const char *, const char *, int *);

static struct list *generate(const char *word, const char *cmd, int *foundp)
{
	struct list *ret = malloc(sizeof(*ret));
	int found = 1;

	if (!ret)
		abort();
	ret->first = NULL;
	if (filter(cmd))
		ask(word, cmd, &found);
	if (foundp)
		*foundp = found;
	if (found == 0 || (found & RETRY)) {
		free(ret);
		return NULL;
	}
	return ret;
}

static struct list *complete(const char *cmd, const char *word, int *foundp, int *retryp)
{
	struct list *ret;

	if (!known(cmd))
		return NULL;
	ret = generate(word, cmd, foundp);
	if (retryp)
		*retryp = foundp && (*foundp & RETRY);
	if (foundp) {
		*foundp &= ~RETRY;
		*foundp |= filter(cmd);
	}
	return ret;
}

int completions(const char *cmd, const char *word)
{
	struct list *ret;
	int found = 0, retry, n = 0;
	char *t;

	do {
		retry = 0;
		ret = complete(cmd, word, &found, &retry); // FP(conditional,path)
		if (found == 0) {
			t = strrchr(cmd, '/');
			if (t && *++t)
				ret = complete(t, word, &found, &retry); // FP(conditional,path)
		}
		if (found == 0)
			ret = complete("", word, &found, &retry); // FP(conditional,path)
		if (!retry)
			break;
	} while (n++ < 32);
	if (ret) {
		free(ret);
		return 1;
	}
	return 0;
}
