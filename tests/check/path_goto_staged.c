// Three stages, three labels, unwound in reverse order.
#include <stdlib.h>
#include <string.h>

struct server { char *name, *buf; int *fds; };

int bind_port(int port);

int server_start_ok(struct server *s, const char *name, int port)
{
	int err = -1;

	s->name = strdup(name);
	if (!s->name)
		goto fail;
	s->buf = malloc(4096);
	if (!s->buf)
		goto free_name;
	s->fds = calloc(16, sizeof(int));
	if (!s->fds)
		goto free_buf;
	err = bind_port(port);
	if (err)
		goto free_fds;
	return 0;
free_fds:
	free(s->fds);
free_buf:
	free(s->buf);
free_name:
	free(s->name);
fail:
	memset(s, 0, sizeof(*s));
	return err;
}

int server_start_bad(struct server *s, const char *name, int port)
{
	int err = -1;

	s->name = strdup(name);
	if (!s->name)
		goto fail;
	s->buf = malloc(4096);
	if (!s->buf)
		goto free_name;
	s->fds = calloc(16, sizeof(int)); // FN(vfg): LEAK
	if (!s->fds)
		goto free_buf;
	err = bind_port(port);
	if (err)
		goto free_buf;
	return 0;
free_buf:
	free(s->buf);
free_name:
	free(s->name);
fail:
	memset(s, 0, sizeof(*s));
	return err;
}
