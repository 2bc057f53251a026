// A verdict in an enum says who has the packet now.
#include <stdlib.h>

enum verdict { V_DROP, V_TAKEN, V_PASS };

struct packet { int proto, len; char data[100]; };

static struct packet *pending;

static enum verdict filter(struct packet *p)
{
	if (p->len > 100) {
		free(p);
		return V_DROP;
	}
	if (p->proto == 6 && !pending) {
		pending = p;
		return V_TAKEN;
	}
	return V_PASS;
}

int receive_ok(int proto, int len)
{
	struct packet *p = calloc(1, sizeof(*p));

	if (!p)
		return -1;
	p->proto = proto;
	p->len = len;
	switch (filter(p)) {
	case V_DROP:
	case V_TAKEN:
		return 0;
	case V_PASS:
		free(p);
		break;
	}
	return 1;
}

int receive_bad(int proto, int len)
{
	struct packet *p = calloc(1, sizeof(*p)); // FN(vfg): LEAK(conditional)

	if (!p)
		return -1;
	p->proto = proto;
	p->len = len;
	if (filter(p) != V_TAKEN)
		return 0;
	return 1;
}

void flush(void)
{
	free(pending);
	pending = NULL;
}
