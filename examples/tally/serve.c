#include "tally.h"

#include <stdlib.h>

static void answer_counter(struct server *s, const struct counter *c)
{
	fprintf(s->out, "%s %ld\n", c->name, c->n);
}

static void answer_top(struct server *s, long n)
{
	struct counter **all = table_sorted(&s->table);

	for (size_t i = 0; i < s->table.used && (long)i < n; i++)
		answer_counter(s, all[i]);
	free(all);
}

static void answer_stats(struct server *s)
{
	fprintf(s->out, "%lu requests, %lu errors, %zu counters, %ld kB in memory\n", s->requests,
		s->errors, s->table.used, memory_resident());
}

/* An error is answered, counted, and not the end. */
static int refuse(struct server *s, const char *what, const char *name)
{
	fprintf(s->out, "error: %s%s\n", what, name);
	s->errors++;
	return 0;
}

/* "add hits 1 host:web1" counts for "hits", and for "hits.host:web1". */
static void count_tags(struct server *s, const struct request *rq)
{
	const char *tags = rq->tags, *tag;
	char name[256];
	size_t n;

	while ((n = next_word(&tags, &tag)) > 0) {
		snprintf(name, sizeof(name), "%s.%.*s", rq->name, (int)n, tag);
		table_add(&s->table, name)->n += rq->n;
	}
}

int serve(struct server *s, const char *line)
{
	struct request *rq = request_parse(line);
	struct counter *c = NULL;
	int last = 0;

	s->requests++;
	if (!rq)
		return refuse(s, "what is ", line);
	if (rq->verb == GET || rq->verb == DROP) {
		c = table_find(&s->table, rq->name);
		if (!c)
			return refuse(s, "no counter ", rq->name);
	}
	switch (rq->verb) {
	case ADD:
		c = table_add(&s->table, rq->name);
		c->n += rq->n;
		count_tags(s, rq);
		answer_counter(s, c);
		break;
	case GET:
		answer_counter(s, c);
		break;
	case DROP:
		answer_counter(s, c);
		table_drop(&s->table, rq->name);
		break;
	case TOP:
		answer_top(s, rq->n);
		break;
	case STATS:
		answer_stats(s);
		break;
	case QUIT:
		last = 1;
		break;
	}
	request_free(rq);
	return last;
}
