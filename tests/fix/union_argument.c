// With _GNU_SOURCE an address is passed to bind() and connect() through a union that clang makes: it holds nothing afterwards.
// LEAKS: 1
#define _GNU_SOURCE
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The first of the ways to the port, of which nobody listens to the one by TCP. */
static int open_from(const char *host, const char *from)
{
	struct addrinfo hints, *one, *all, *own = NULL;
	int s = -1;

	memset(&hints, 0, sizeof(hints));
	hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
	if (getaddrinfo(host, "9", &hints, &all))
		return -1;
	for (one = all; one; one = one->ai_next) {
		s = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
		if (s < 0)
			continue;
		if (from) {
			hints.ai_socktype = one->ai_socktype;
			if (getaddrinfo(from, "0", &hints, &own) || bind(s, own->ai_addr, own->ai_addrlen) < 0) {
				close(s);
				s = -1;
				break;
			}
		}
		if (connect(s, one->ai_addr, one->ai_addrlen) == 0)
			break;
		close(s);
		s = -1;
	}
	if (own)
		freeaddrinfo(own);
	freeaddrinfo(all);
	return s;
}

int main(void)
{
	int s = open_from("127.0.0.1", "127.0.0.1");

	printf("%d\n", s >= 0);
	if (s >= 0)
		close(s);
	return 0;
}
