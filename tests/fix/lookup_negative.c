// getaddrinfo() returns 0 or an error, which is negative: behind a test for less than 0 there is a list.
// LEAKS: 1
// EXPECT: fixed
#include <netdb.h>
#include <stdio.h>
#include <string.h>

static int family_of(const char *name, int want)
{
	struct addrinfo hints, *res;

	memset(&hints, 0, sizeof(hints));
	hints.ai_flags = AI_NUMERICHOST;
	hints.ai_socktype = SOCK_STREAM;
	if (getaddrinfo(name, NULL, &hints, &res) < 0)
		return -1;
	if (res == NULL || res->ai_family != want)
		return -2;
	freeaddrinfo(res);
	return want;
}

int main(void)
{
	printf("%d %d %d\n", family_of("127.0.0.1", AF_INET) == AF_INET, family_of("127.0.0.1", AF_INET6), family_of("?", AF_INET));
	return 0;
}
