// kmod-project/kmod 264: a macro takes the pointer out of a variable with a cleanup function.  Taken
// out in the call of a function that may refuse, the object is lost; taken out after the call it is
// not.
#include <stdlib.h>

#define AUTO_FREE __attribute__((cleanup(drop)))
#define TAKE(p) ({ __typeof__(p) taken_ = (p); (p) = NULL; taken_; })

struct entry {
	char *cmd;
	struct entry *next;
};

static void drop(void *p)
{
	free(*(void **)p);
}

static struct entry *entry_add(struct entry **list, char *cmd)
{
	struct entry *e = malloc(sizeof(*e));

	if (!e)
		return NULL;
	e->cmd = cmd;
	e->next = *list;
	*list = e;
	return e;
}

int after_ok(struct entry **list, size_t n)
{
	AUTO_FREE char *cmd = malloc(n);

	if (!cmd)
		return -1;
	cmd[0] = '\0';
	if (!entry_add(list, cmd))
		return -1;
	TAKE(cmd);
	return 0;
}

int before_bad(struct entry **list, size_t n)
{
	AUTO_FREE char *cmd = malloc(n); // LEAK(conditional)

	if (!cmd)
		return -1;
	cmd[0] = '\0';
	if (!entry_add(list, TAKE(cmd)))
		return -1;
	return 0;
}

char *returned_ok(size_t n)
{
	AUTO_FREE char *cmd = malloc(n);

	if (cmd)
		cmd[0] = '\0';
	return TAKE(cmd);
}
