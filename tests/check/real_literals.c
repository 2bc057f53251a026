/* a string is not "add" and "delete" at once, nor a result 2 and 6 */
#include <stdlib.h>
#include <string.h>

enum result { OK, FAILED = 2, ADDED = 4, DELETED = 6 };
struct auth {
	enum result (*add)(struct auth *, const char *);
	enum result (*del)(struct auth *, const char *);
};
void send(const char *s);

void manage(struct auth *a, const char *action, const char *user)
{
	char *message = NULL;
	enum result ret = OK;

	if (!strcmp(action, "add")) {
		ret = a->add(a, user);
		if (ret == FAILED)
			message = strdup("add failed");
		if (ret == ADDED)
			message = strdup("added");
	}
	if (!strcmp(action, "delete")) {
		ret = a->del(a, user);
		if (ret == FAILED)
			message = strdup("delete failed");
		if (ret == DELETED)
			message = strdup("deleted");
	}
	send(message);
	free(message);
}

void bad(const char *action, const char *user)
{
	char *message = NULL;

	if (!strcmp(action, "add"))
		message = strdup(user); // LEAK(overwritten)
	if (strcmp(action, "delete"))
		message = strdup("not deleted");
	send("done");
	free(message);
}
