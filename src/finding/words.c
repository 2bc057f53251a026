/*
 * words.c - the nouns and verbs for a resource, for reports and for the steps of a path alike.
 */
#include "finding/finding.h"

#include "base/mem.h"

#include <assert.h>

/* A resource that a user's model brings is "obtained" and "released". */
struct finding_words finding_words(const char *resource)
{
	static const struct finding_words words[] = {
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
	struct finding_words other = { resource, resource, "obtained", "release", "released" };

	assert(resource);
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_eq(words[i].resource, resource))
			return words[i];
	return other;
}
