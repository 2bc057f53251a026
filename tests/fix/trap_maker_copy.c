// As trap_maker.c, but the pointer is in a copy of what the library has made, or is returned.
// LEAKS: 2
// EXPECT: either
// PATCH: ^\+.*freeaddrinfo\(ai\);
#include <netdb.h>
#include <stdio.h>
#include <string.h>

static const struct sockaddr *address(void)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM }, *ai;

	if (getaddrinfo("127.0.0.1", NULL, &hints, &ai))
		return NULL;
	return ai->ai_addr;
}

static int copy_address(struct sockaddr *to, int more)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM }, *ai, one;

	if (getaddrinfo("127.0.0.1", NULL, &hints, &ai))
		return -1;
	one = *ai;
	if (more) {
		memcpy(to, one.ai_addr, sizeof(*to));
		return 1;
	}
	freeaddrinfo(ai);
	return 0;
}

int main(void)
{
	struct sockaddr to;
	const struct sockaddr *a = address();

	printf("%d\n", a && a->sa_family == AF_INET);
	printf("%d %d\n", copy_address(&to, 0), copy_address(&to, 1));
	printf("%d\n", to.sa_family == AF_INET);
	return 0;
}
