// Xu and Zhang (QSIC 2008), Figure 10, after wget 1.10.2: the reply line comes through
// an out-parameter; the return for a malformed reply keeps it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum err { FTPOK, FTPRERR, FTPINVPASV, WRITEFAILED };

static enum err response(FILE *sock, char **line)
{
	char buf[200];

	if (!fgets(buf, sizeof(buf), sock))
		return FTPRERR;
	*line = strdup(buf);
	return *line ? FTPOK : FTPRERR;
}

enum err pasv_bad(FILE *sock, int *port)
{
	char *reply, *s;
	enum err e = response(sock, &reply); // FN(vfg): LEAK(conditional)

	if (e != FTPOK)
		return e;
	if (*reply != '2') {
		free(reply);
		return FTPRERR;
	}
	for (s = reply + 1; *s && !isdigit((unsigned char)*s); s++)
		;
	if (!*s)
		return FTPINVPASV;	/* L */
	*port = atoi(s);
	free(reply);
	return FTPOK;
}

enum err pasv_ok(FILE *sock, int *port)
{
	char *reply, *s;
	enum err e = response(sock, &reply);

	if (e != FTPOK)
		return e;
	for (s = reply; *s && !isdigit((unsigned char)*s); s++)
		;
	if (!*s) {
		free(reply);
		return FTPINVPASV;
	}
	*port = atoi(s);
	free(reply);
	return FTPOK;
}
