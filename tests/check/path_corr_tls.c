// The same field of a configuration is tested before the allocation and before the free.
#include <stdlib.h>
#include <string.h>

struct config { int use_tls, verify, port; };

int connect_ok(const struct config *cfg, char *reply)
{
	char *session = NULL;

	if (cfg->use_tls) {
		session = malloc(64);
		if (!session)
			return -1;
		memset(session, 0, 64);
	}
	reply[0] = (char)cfg->port;
	if (cfg->use_tls)
		free(session);
	return 0;
}

int connect_bad(const struct config *cfg, char *reply)
{
	char *session = NULL;

	if (cfg->use_tls) {
		session = malloc(64); // LEAK(conditional,high) via 0 +6 +8
		if (!session)
			return -1;
		memset(session, 0, 64);
	}
	reply[0] = (char)cfg->port;
	if (cfg->use_tls && cfg->verify)
		free(session);
	return 0;
}
