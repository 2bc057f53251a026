// CHECK() in a do-while(0) jumps to the clean-up; a second macro forgets it.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(cond) do { if (!(cond)) { rc = __LINE__; goto cleanup; } } while (0)
#define REQUIRE(cond) do { if (!(cond)) return -1; } while (0)

int verify(const char *sig, int n);

int sign_ok(const char *text, int n)
{
	char *digest = NULL, *sig = NULL;
	int rc = 0;

	CHECK(n > 0);
	CHECK((digest = malloc(32)) != NULL);
	CHECK((sig = malloc(64)) != NULL);
	snprintf(digest, 32, "%.10s", text);
	CHECK(digest[0] != 0);
	snprintf(sig, 64, "%s", digest);
cleanup:
	free(sig);
	free(digest);
	return rc;
}

int sign_bad(const char *text, int n)
{
	char *digest = NULL;
	int rc = 0;

	CHECK(n > 0);
	CHECK((digest = malloc(32)) != NULL); // LEAK(conditional)
	snprintf(digest, 32, "%.10s", text);
	REQUIRE(digest[0] != 0);
cleanup:
	free(digest);
	return rc;
}
