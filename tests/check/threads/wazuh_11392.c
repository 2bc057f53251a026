// wazuh/wazuh 11392: a struct was given one more string, which its destructor does not know of.
#include <stdlib.h>
#include <string.h>

struct agent {
	char *id, *name, *version;
};

static void agent_free(struct agent *a)
{
	if (!a)
		return;
	free(a->id);
	free(a->name);
	free(a);
}

static void agent_free_all(struct agent *a)
{
	if (!a)
		return;
	free(a->id);
	free(a->name);
	free(a->version);
	free(a);
}

static struct agent *agent_new(const char *id, const char *name, const char *version)
{
	struct agent *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->id = strdup(id);
	a->name = strdup(name);
	a->version = strdup(version);
	return a;
}

static struct agent *agent_new_bad(const char *id, const char *name, const char *version)
{
	struct agent *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->id = strdup(id);
	a->name = strdup(name);
	a->version = strdup(version); // LEAK@version
	return a;
}

int scan_ok(const char *id)
{
	struct agent *a = agent_new(id, "a", "1");
	int ret = a && a->id ? (int)strlen(a->id) : -1;

	agent_free_all(a);
	return ret;
}

int scan_bad(const char *id)
{
	struct agent *a = agent_new_bad(id, "a", "1"); // LEAK@version
	int ret = a && a->id ? (int)strlen(a->id) : -1;

	agent_free(a);
	return ret;
}
