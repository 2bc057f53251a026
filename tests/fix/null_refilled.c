// A call in a loop fills a variable, or fails and leaves it alone: what it holds is released before, and it is null then.
// LEAKS: 2
// PATCH: ^\+.*list = NULL;
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static int count(const char *const *names)
{
	struct addrinfo *list = NULL, hints;
	int n = 0;

	memset(&hints, 0, sizeof hints);
	hints.ai_flags = AI_NUMERICHOST;
	hints.ai_socktype = SOCK_STREAM;
	for (; *names; names++) {
		if (getaddrinfo(*names, NULL, &hints, &list) || list->ai_family != AF_INET) {
			n = -1;
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
	static const char *const none[] = { NULL }, *const one[] = { "127.0.0.1", NULL };
	static const char *const three[] = { "127.0.0.1", "127.0.0.2", "127.0.0.3", NULL };
	static const char *const bad[] = { "127.0.0.1", "no address", NULL };

	printf("%d\n", count(none));
	printf("%d\n", count(one));
	printf("%d\n", count(three));
	printf("%d\n", count(bad));
	return 0;
}
