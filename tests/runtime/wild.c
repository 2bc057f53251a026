/* Accesses through null and wild pointers, which plumb run --oblivious must survive.
 * wild KIND... does them in turn and prints what came of each; without --oblivious
 * the first one kills it. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct node {
	struct node *next;
	int value;
	char name[24];
	double weight;
	long (*call)(int);
};

static struct node *volatile null;
static struct node *volatile wild = (struct node *)0x123456789000;
static struct node *volatile odd = (struct node *)0x8123456789abcdef;	/* not canonical */

static void say(const char *what, long x)
{
	printf("%s %ld\n", what, x);
	fflush(stdout);
}

static long sum_list(struct node *n)
{
	long sum = 0;

	for (; n; n = n->next)
		sum += n->value;
	return sum;
}

static void do_load(void)
{
	say("load", null->value + wild->value + odd->value);
}

static void do_store(void)
{
	null->value = 7;
	wild->value = 7;
	odd->name[3] = 'x';
	say("store", 0);
}

static void do_arith(void)
{
	long x = 5;

	null->value += 3;
	wild->value++;
	x += null->value;
	x |= wild->value;
	x *= odd->value == 0;
	say("arith", x);
}

static void do_float(void)
{
	double d = 1.5;

	d += null->weight;
	wild->weight = d;
	say("float", (long)(d * 2));
}

static void do_list(void)
{
	struct node a = { wild, 4, "", 0, NULL };

	say("list", sum_list(&a) + sum_list(null));
}

static void do_string(void)
{
	char buf[64] = "keep";

	say("strlen", (long)strlen(wild->name));
	say("strcmp", strcmp(null->name, "") == 0);
	memcpy(wild->name, "abc", 4);
	memset(null, 0, sizeof(*null));
	memcpy(buf, null->name, 24);
	strcpy(wild->name, buf);
	say("string", buf[0] != 0);
}

static void do_call(void)
{
	long (*f)(int) = null->call;

	say("call", f(3) + wild->call(4));
}

static void do_byte(void)
{
	int n = 0;

	for (const char *p = wild->name; *p; p++)
		n++;
	say("byte", n);
}

static void do_loop(void)
{
	long sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += wild->value + i;
	say("loop", sum);
}

/* A handler of the program's own, on a page that it protects itself. */
static char *page;
static volatile int handled;

static void own_handler(int sig, siginfo_t *info, void *uc)
{
	(void)sig;
	(void)uc;
	handled++;
	if ((char *)info->si_addr >= page && (char *)info->si_addr < page + 4096)
		mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void do_handler(void)
{
	struct sigaction sa = { .sa_sigaction = own_handler, .sa_flags = SA_SIGINFO }, old;

	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &sa, NULL);
	page[5] = 'y';
	sigaction(SIGSEGV, NULL, &old);
	say("handler", handled == 1 && page[5] == 'y' && old.sa_sigaction == own_handler);
	say("handler and null", null->value);
	signal(SIGSEGV, SIG_DFL);
}

static void do_killed(void)
{
	fflush(stdout);
	kill(getpid(), SIGSEGV);
	say("survived a kill", 1);
}

static void do_flood(void)
{
	long sum = 0;

	for (long i = 0; i < 100000000; i++)
		sum += wild->value;
	say("flood", sum);
}

static const struct {
	const char *name;
	void (*f)(void);
} kinds[] = {
	{ "load", do_load }, { "store", do_store }, { "arith", do_arith }, { "float", do_float },
	{ "list", do_list }, { "string", do_string }, { "call", do_call }, { "byte", do_byte },
	{ "loop", do_loop }, { "handler", do_handler }, { "killed", do_killed }, { "flood", do_flood },
};

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			if (strcmp(argv[i], kinds[k].name) == 0)
				kinds[k].f();
	say("done", argc);
	return 0;
}
