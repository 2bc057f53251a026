/*
 * astray.c - mistakes that `plumb cc --oblivious` lets a program survive.
 *
 *	astray WHAT...
 *
 * Each WHAT prints a line; what it must be is in tests/cli/oblivious.sh.  Built by that
 * test, not for the others: ordinary compilers may do as they like here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	int value;
};

struct text {
	char *at, *end;
};

static int volatile sixteen = 16;

static unsigned sum(const unsigned char *p, int n)
{
	unsigned s = 0;

	for (int i = 0; i < n; i++)
		s += p[i];
	return s;
}

/* Two neighbours; what is written to the one must not get into the other. */
static unsigned char *pair(unsigned char **other)
{
	unsigned char *p = malloc((size_t)sixteen);

	*other = malloc((size_t)sixteen);
	memset(p, 0, (size_t)sixteen);
	memset(*other, 7, (size_t)sixteen);
	return p;
}

static void store(void)
{
	unsigned char *other, *p = pair(&other);

	for (int i = 0; i < 64 * sixteen; i++)
		p[i] = 1;
	printf("store %u %u\n", sum(p, sixteen), sum(other, sixteen));
	for (int i = 1; i < 64 * sixteen; i++)
		p[-i] = 1;
	printf("below %u %u\n", sum(p, sixteen), sum(other, sixteen));
	free(p);
	free(other);
}

static void step(void)
{
	unsigned char *other, *p = pair(&other), *q = p;

	while (q != p + 20 * sixteen)
		*q++ = 2;
	printf("step %u %u\n", sum(p, sixteen), sum(other, sixteen));
	free(p);
	free(other);
}

static void put(struct text *t, char c)
{
	*t->at++ = c;
}

/* The pointer is kept in memory: only the room behind the object protects here. */
static void kept(void)
{
	unsigned char *other, *p = pair(&other);
	struct text *t = malloc(sizeof(*t));

	t->at = (char *)p;
	for (int i = 0; i < sixteen + 8; i++)
		put(t, 3);
	printf("kept %u %u\n", sum(p, sixteen), sum(other, sixteen));
	free(t);
	free(p);
	free(other);
}

static void load(void)
{
	unsigned char *other, *p = pair(&other);

	memset(p, 5, (size_t)sixteen);
	printf("load %u\n", sum(p, 100 * sixteen));
	free(p);
	free(other);
}

static void null(void)
{
	struct node *volatile none = NULL;

	none->value = 3;
	printf("null %d %p\n", none->value, (void *)none->next);
}

static void strings(void)
{
	char *p = malloc((size_t)sixteen), *q = malloc((size_t)sixteen);

	strcpy(q, "neighbour");
	memset(p, 'x', 3 * (size_t)sixteen);
	printf("memset %zu %s\n", strnlen(p, 100), q);
	strcpy(p, "a string that is too long by far");
	printf("strcpy %.16s %s\n", p, q);
	strcpy(p, "a");
	for (int i = 0; i < 5; i++)
		strcat(p, "bcdefg");
	printf("strcat %.16s %s\n", p, q);
	sprintf(p, "%d and %d and %d", 1111111, 2222222, 3333333);
	printf("sprintf %.16s %s\n", p, q);
	memcpy(p, "0123456789abcdefghijklmnopqrstuv", 2 * (size_t)sixteen);
	printf("memcpy %.16s %s\n", p, q);
	memcpy(q, p, (size_t)sixteen + 8);
	free(p);
	free(q);
}

static void twice(void)
{
	char *p = malloc(100), *q;

	free(p);
	free(p);
	q = malloc(100);
	free(q + 16);
	strcpy(q, "fine");
	printf("twice %s\n", q);
	free(q);
}

/* Goes through a list that may be a ring. */
__attribute__((noinline)) static long walk(const struct node *n)
{
	long s = 0;

	for (; n; n = n->next)
		s += n->value;
	return s;
}

static void ring(void)
{
	struct node a = { NULL, 1 }, b = { &a, 2 }, *c = malloc(sizeof(*c));

	c->next = &b;
	c->value = 3;
	printf("list %ld\n", walk(c));
	a.next = c;
	printf("ring %d\n", walk(c) > 1000);
	free(c);
}

__attribute__((noinline)) static long wait_for(volatile int *flag)
{
	long n = 0;

	for (;;) {
		n++;
		if (*flag)
			break;
	}
	return n;
}

static void waits(void)
{
	volatile int flag = 1;

	wait_for(&flag);
	flag = 0;
	printf("waits %ld\n", wait_for(&flag));
}

/* The same, but meant. */
__attribute__((noinline)) static long serve(int rounds)
{
	long n = 0;

	while (n != rounds) {
		__attribute__((annotate("plumb-endless"))) int meant;

		(void)meant;
		n++;
	}
	return n;
}

__attribute__((noinline, annotate("plumb-endless"))) static long serve_all(int rounds)
{
	volatile long n = 0;

	while (n != rounds)
		n++;
	return n;
}

static void endless(void)
{
	serve(2);
	serve_all(2);
	printf("endless %ld %ld\n", serve(50000), serve_all(50000));
}

/* Loops in loops, left in several ways. */
static void nested(void)
{
	unsigned long s = 0;

	for (int i = 0; i < 100; i++) {
		for (int j = 0; j < i; j++) {
			if (j == 50)
				goto out;
			switch (j % 3) {
			case 0: continue;
			case 1: s += (unsigned)j; break;
			default: s ^= (unsigned)i;
			}
		}
	}
out:
	printf("nested %lu\n", s);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{ "store", store }, { "step", step }, { "kept", kept }, { "load", load },
		{ "null", null }, { "strings", strings }, { "twice", twice }, { "ring", ring },
		{ "waits", waits }, { "endless", endless }, { "nested", nested },
	};

	for (int i = 1; i < argc; i++)
		for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++)
			if (strcmp(argv[i], all[k].name) == 0)
				all[k].run();
	return 0;
}
