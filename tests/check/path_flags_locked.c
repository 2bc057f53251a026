// The flag lives in an object that the function is given.
#include <stdlib.h>
#include <string.h>

struct conn { int encrypted, fd; char iv[16]; };

int put(int fd, int c);

int send_ok(struct conn *c, const char *msg, int n)
{
	char *cipher = NULL;
	int i, err = 0;

	if (c->encrypted) {
		cipher = malloc(n);
		if (!cipher)
			return -1;
		for (i = 0; i < n; i++)
			cipher[i] = msg[i] ^ c->iv[i % 16];
		msg = cipher;
	}
	for (i = 0; i < n && !err; i++)
		err = put(c->fd, msg[i]);
	if (msg == cipher)
		free(cipher);
	return err;
}

int send_bad(struct conn *c, const char *msg, int n)
{
	char *cipher = NULL;
	int i;

	if (c->encrypted) {
		cipher = malloc(n); // LEAK(conditional)
		if (!cipher)
			return -1;
		for (i = 0; i < n; i++)
			cipher[i] = msg[i] ^ c->iv[i % 16];
		msg = cipher;
	}
	for (i = 0; i < n; i++)
		if (put(c->fd, msg[i]) != 0)
			return -1;
	if (c->encrypted)
		free(cipher);
	return 0;
}
