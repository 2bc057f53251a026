/*
 * rules.c - the kinds of findings as rules of SARIF, explained at some length: people
 * see this text beside an alert in a code-scanning page.
 */
#include "report/rules.h"

#define SILENCE \
	"If the finding is wrong or the memory is meant to stay, put `// plumb-ignore: reason` " \
	"on the line of the allocation or on the line above."

const struct report_rule report__rules[FINDING__KINDS] = {
	[FINDING_NEVER_FREED] = {
		.name = "NeverFreed",
		.title = "Memory is never freed",
		.text = "Memory is allocated here and no path through the program frees it or "
			"hands it to anyone who could. Each time this line runs, the program grows.",
		.advice = "Free the memory when it is no longer needed, or store it where its "
			"owner can find and free it. " SILENCE,
		.tags = { "memory-leak", "external/cwe/cwe-401" },
		.precision = "high",
		.level = "warning",
	},
	[FINDING_CONDITIONAL] = {
		.name = "NotFreedOnSomePaths",
		.title = "Memory is not freed on some paths",
		.text = "Memory allocated here is freed on some paths through the program but not on "
			"others, most often not on the way out after an error. The path that is shown "
			"leads from the allocation to the place where the last chance to free it passes.",
		.advice = "Free the memory on that path too, for instance by leaving the function "
			"through one exit label that frees everything. " SILENCE,
		.tags = { "memory-leak", "external/cwe/cwe-401" },
		.precision = "high",
		.level = "warning",
	},
	[FINDING_OVERWRITTEN] = {
		.name = "LastPointerOverwritten",
		.title = "The last pointer to memory is overwritten",
		.text = "The only pointer to memory allocated here is set to another value before the "
			"memory is freed. Nothing can free it after that.",
		.advice = "Free the old memory before the assignment, or keep the old pointer until the "
			"new one is known to be good, as with realloc. " SILENCE,
		.tags = { "memory-leak", "external/cwe/cwe-401" },
		.precision = "high",
		.level = "warning",
	},
	[FINDING_STALE] = {
		.name = "StaleMemory",
		.title = "Memory is kept but no longer used",
		.text = "A running program held memory allocated here for a long time without touching "
			"it, and more of it came. It can still be reached, so that no check at exit "
			"reports it, but it grows like a leak.",
		.advice = "Look for what keeps the objects (a list, a table, a cache) and remove them from "
			"it when they have served. " SILENCE,
		.tags = { "memory-leak", "external/cwe/cwe-401" },
		.precision = "medium",
		.level = "warning",
	},
	[FINDING_DOUBLE_FREE] = {
		.name = "DoubleFree",
		.title = "Memory is freed twice",
		.text = "Memory allocated here is freed a second time on the path that is shown. That "
			"damages the heap, and an attacker may be able to use it.",
		.advice = "Make one place the owner that frees the memory, and set the pointer to NULL "
			"after freeing where it lives on. " SILENCE,
		.tags = { "memory-safety", "external/cwe/cwe-415" },
		.precision = "high",
		.level = "error",
	},
	[FINDING_USE_AFTER_FREE] = {
		.name = "UseAfterFree",
		.title = "Memory is used after it was freed",
		.text = "Memory allocated here is read or written on the path that is shown after it was "
			"freed. What is read is anybody's, and an attacker may be able to use it.",
		.advice = "Free the memory after its last use. " SILENCE,
		.tags = { "memory-safety", "external/cwe/cwe-416" },
		.precision = "high",
		.level = "error",
	},
};
