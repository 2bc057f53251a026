/*
 * snmp.c - the leak of Squid 2.4's SNMP module, as in Figure 1 of Nguyen and Rinard:
 * the community name of a request is allocated in snmp_parse, reached through
 * structures on the stack and in the request, and never freed.
 *
 * A request is "NUMBER COMMUNITY OID OID ...", the answer a value for each OID.
 */
#include "serve.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define COMMUNITY_LEN 128

struct snmp_pdu {
	int version, nvars;
	char *vars[16];
};

struct acl_check {
	const char *snmp_community;
	int port;
};

struct snmp_request {
	char buf[2048];
	int len, number;
	struct sockaddr_in from;
	socklen_t from_len;
	struct snmp_pdu *pdu;
	unsigned char *community;
	char *answer;
	int sock;
};

/* The community of the request; its variables go into the PDU. */
static unsigned char *snmp_parse(struct snmp_request *rq, struct snmp_pdu *pdu)
{
	unsigned char *bufp = xmalloc(COMMUNITY_LEN + 1);
	char *word = strtok(rq->buf, " ");

	rq->number = word ? atoi(word) : 0;
	word = strtok(NULL, " ");
	snprintf((char *)bufp, COMMUNITY_LEN + 1, "%s", word ? word : "");
	while ((word = strtok(NULL, " ")) && pdu->nvars < 16)
		pdu->vars[pdu->nvars++] = xstrdup(word);
	return bufp;
}

static int acl_check_fast(const struct acl_check *c)
{
	return strncmp(c->snmp_community, "public", 6) == 0;
}

static int snmp_coexist_v2_to_v1(struct snmp_pdu *pdu)
{
	pdu->version = 1;
	return 1;
}

static unsigned value_of(const char *oid, const unsigned char *community)
{
	unsigned h = 5381;

	for (; *oid; oid++)
		h = h * 33 + (unsigned char)*oid;
	for (; *community; community++)
		h = h * 33 + *community;
	return h;
}

static void snmp_construct_response(struct snmp_request *rq)
{
	size_t n = 0;

	rq->answer = xmalloc(64 * (size_t)rq->pdu->nvars + 64);
	n += (size_t)sprintf(rq->answer, "%d", rq->number);
	for (int i = 0; i < rq->pdu->nvars; i++)
		n += (size_t)sprintf(rq->answer + n, " %u", value_of(rq->pdu->vars[i], rq->community));
	sendto(rq->sock, rq->answer, n, 0, (struct sockaddr *)&rq->from, rq->from_len);
	free(rq->answer);
}

static void snmp_decode_packet(struct snmp_request *rq)
{
	struct acl_check checklist = { NULL, 0 };
	struct snmp_pdu *pdu = xmalloc(sizeof(*pdu));
	unsigned char *community;
	int allow = 0;

	memset(pdu, 0, sizeof(*pdu));
	rq->pdu = pdu;
	community = snmp_parse(rq, pdu);
	checklist.snmp_community = (char *)community;
	if (community)
		allow = acl_check_fast(&checklist);
	if (snmp_coexist_v2_to_v1(pdu) && community && allow) {
		rq->community = community;
		snmp_construct_response(rq);
	} else {
		sendto(rq->sock, "denied", 6, 0, (struct sockaddr *)&rq->from, rq->from_len);
	}
	for (int i = 0; i < pdu->nvars; i++)
		free(pdu->vars[i]);
	free(pdu);
}

static void snmp_handle_udp(int sock, void *not_used)
{
	struct snmp_request *rq = xmalloc(sizeof(*rq));
	ssize_t len;

	comm_set_select(sock, snmp_handle_udp, not_used);
	rq->sock = sock;
	rq->from_len = sizeof(rq->from);
	len = recvfrom(sock, rq->buf, sizeof(rq->buf) - 1, 0, (struct sockaddr *)&rq->from,
		       &rq->from_len);
	if (len > 0) {
		rq->buf[rq->len = (int)len] = 0;
		if (strcmp(rq->buf, "quit") == 0)
			serve_stop();
		else
			snmp_decode_packet(rq);
	}
	free(rq);
}

int main(void)
{
	comm_set_select(serve_udp(), snmp_handle_udp, NULL);
	serve_loop();
	return 0;
}
