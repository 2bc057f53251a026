// As null_refilled.c, but what is in the variable from the round before is told, or looked at, if the call fails.
// LEAKS: 3
// EXPECT: either
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static int told(const char *const *names)
{
	struct addrinfo *list = NULL, hints;
	int n = 0;

	memset(&hints, 0, sizeof hints);
	hints.ai_flags = AI_NUMERICHOST;
	hints.ai_socktype = SOCK_STREAM;
	for (; *names; names++) {
		if (getaddrinfo(*names, NULL, &hints, &list))
			break;
		n++;
	}
	if (list) {
		puts("some");
		freeaddrinfo(list);
	}
	return n;
}

static int looked_at(const char *const *names)
{
	struct addrinfo *list = NULL, hints;
	int n = 0;

	memset(&hints, 0, sizeof hints);
	hints.ai_flags = AI_NUMERICHOST;
	hints.ai_socktype = SOCK_STREAM;
	for (; *names; names++) {
		if (getaddrinfo(*names, NULL, &hints, &list)) {
			n = list ? list->ai_socktype == SOCK_STREAM : -1;
			break;
		}
		n++;
	}
	if (list)
		freeaddrinfo(list);
	return n;
}

int main(void)
{
	static const char *const two[] = { "127.0.0.1", "127.0.0.2", NULL };
	static const char *const bad[] = { "127.0.0.1", "127.0.0.2", "no address", NULL };

	printf("%d\n", told(two));
	printf("%d\n", told(bad));
	printf("%d\n", looked_at(bad));
	return 0;
}
