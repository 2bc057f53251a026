/*
 * words.c - the nouns and verbs for a resource, for reports and for the steps of a path alike.
 */
#include "effect/resource.h"

#include <assert.h>

/* A resource that a user's model brings is "obtained" and "released". */
struct resource_words resource_words(const char *name)
{
	static const struct resource_words words[] = {
		{ "memory", "memory", "allocated", "free", "freed" },
		{ "file", "file", "opened", "close", "closed" },
		{ "pipe", "pipe", "opened", "close", "closed" },
		{ "directory", "directory", "opened", "close", "closed" },
		{ "dir", "directory", "opened", "close", "closed" },
		{ "descriptor", "file descriptor", "opened", "close", "closed" },
		{ "fd", "file descriptor", "opened", "close", "closed" },
		{ "mapping", "mapping", "made", "unmap", "unmapped" },
		{ "library", "library", "opened", "close", "closed" },
	};
	struct resource_words other = { name, name, "obtained", "release", "released" };

	assert(name);
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_eq(words[i].resource, name))
			return words[i];
	return other;
}
