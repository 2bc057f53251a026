/*
 * serve.h - what the servers share: sockets on the loopback interface and a loop
 * that calls back, as in Squid.
 */
#ifndef SERVE_H
#define SERVE_H

#include <stddef.h>

typedef void serve_handler(int sock, void *data);

/* Calls handler when sock can next be read, once. */
void comm_set_select(int sock, serve_handler *handler, void *data);

/* A UDP socket, or a listening one in a Unix-domain socket file; prints "port N" or
 * "port PATH". */
int serve_udp(void);
int serve_unix(const char *path);

/* Serves until nothing has come for a minute, or serve_stop(). */
void serve_loop(void);
void serve_stop(void);

/* Allocates or ends the program. */
void *xmalloc(size_t n);
char *xstrdup(const char *s);

#endif
