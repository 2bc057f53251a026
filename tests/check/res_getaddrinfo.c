// Address lists.
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

int resolve_ok(const char *host)
{
	struct addrinfo *list, *a;
	int n = 0;

	if (getaddrinfo(host, "80", NULL, &list) != 0)
		return -1;
	for (a = list; a; a = a->ai_next)
		n++;
	freeaddrinfo(list);
	return n;
}

int resolve_bad(const char *host)
{
	struct addrinfo hints, *list;

	memset(&hints, 0, sizeof(hints));
	hints.ai_socktype = SOCK_STREAM;
	if (getaddrinfo(host, "80", &hints, &list) != 0) // LEAK(conditional)
		return -1;
	if (list->ai_family != AF_INET)
		return -2;
	freeaddrinfo(list);
	return 0;
}

int never_bad(const char *host)
{
	struct addrinfo *list;

	if (getaddrinfo(host, "80", NULL, &list) != 0) // LEAK(never-freed)
		return -1;
	return list->ai_family;
}
