/*
 * leaks.c - programs that use memory badly, or not, for tests/cli/watch_*.sh.
 *
 *	leaks WHAT ROUNDS HOW [PLUGIN]
 *	leaks real
 *
 * Each works for so many rounds, on memory that it uses all the time, and does one
 * thing besides.  A round is half a second by the library's clock, which the program
 * moves itself, so that nothing depends on the speed of the machine.  The function
 * that a report should name first is called guilty_WHAT (innocent_table, where nothing
 * is).  It ends by HOW:
 *
 *	exit
 *	term, kill	by that signal
 *	hold		after a file `go` has appeared
 *	clear		by freeing the list, after plumb watch has looked twice (--interval)
 *
 * `real` leaves the clock alone: it leaks a list until the library knows 300 kB to be
 * stale, however long that takes.
 */
#include "runfile.inc"
#include "step.inc"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

enum { ROUND = 500, WORK = 300 };	/* ms by the clock; work in it */
enum { PATIENCE = 30000 };		/* times 10 ms: then nobody will come */

struct node {
	struct node *next;
	char text[88];
};

/* ---- memory in use ---- */

enum { HOT = 400 };
static struct node *hot[HOT];

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static void start_work(void)
{
	for (int i = 0; i < HOT; i++) {
		hot[i] = xmalloc(sizeof(struct node));
		memset(hot[i], 1, sizeof(struct node));
	}
}

static unsigned work(void)
{
	unsigned sum = 0;
	char *t = xmalloc(200);

	memset(t, 3, 200);
	for (int i = 0; i < HOT; i++)
		sum += (unsigned)hot[i]->text[i % 88]++;
	free(t);
	return sum;
}

/* ---- what is done besides ---- */

/* A list that can be reached, and that nobody looks at. */
static struct node *list;

__attribute__((noinline)) static void guilty_list(int i)
{
	struct node *n = malloc(sizeof(*n));

	snprintf(n->text, sizeof(n->text), "request %d", i);
	n->next = list;
	list = n;
}

/* A cache by key that is filled and never read. */
enum { KEYS = 1 << 16 };
static struct node *cache[KEYS];

__attribute__((noinline)) static void guilty_cache(int i)
{
	struct node *n = calloc(1, sizeof(*n));

	snprintf(n->text, sizeof(n->text), "answer %d", i);
	free(cache[i % KEYS]);
	cache[i % KEYS] = n;
}

/* Behind two wrappers that everybody uses. */
__attribute__((noinline)) static char *xstrdup(const char *s)
{
	char *p = xmalloc(strlen(s) + 1);

	return strcpy(p, s);
}

__attribute__((noinline)) static void guilty_wrapper(int i)
{
	char text[100];

	snprintf(text, sizeof(text), "%80d", i);
	xstrdup(text);
}

/* In a thread. */
__attribute__((noinline)) static void guilty_thread(int i)
{
	char *p = malloc(100);

	memset(p, i, 100);
}

static pthread_barrier_t turn;	/* the thread has a round of its own in each round */

static void *thread_main(void *ctx)
{
	for (int r = *(int *)ctx; r > 0; r--) {
		pthread_barrier_wait(&turn);
		for (int i = 0; i < WORK; i++)
			guilty_thread(i);
		pthread_barrier_wait(&turn);
	}
	return NULL;
}

/* Through realloc: each buffer grows once and is lost. */
__attribute__((noinline)) static void guilty_resize(int i)
{
	char *p = malloc(24);

	snprintf(p, 24, "%d", i);
	p = realloc(p, 160);
	memset(p, i, 160);
}

/* Of many objects from one call stack, most of them used all the time and freed
 * after a while, one in fifty is forgotten. */
enum { RING = 3000 };
static struct node *ring[RING];

__attribute__((noinline)) static void guilty_few(int i)
{
	for (int k = 0; k < 25; k++) {
		struct node *n = malloc(sizeof(*n));
		int at = (i * 25 + k) % RING;

		memset(n, 2, sizeof(*n));
		if (k == 7 && i % 2) {
			n->next = list;
			list = n;
			continue;
		}
		free(ring[at]);
		ring[at] = n;
	}
	for (int k = 0; k < RING; k++)
		if (ring[k])
			ring[k]->text[0]++;
}

/* At the start, and never used. */
static char *tables[300];

__attribute__((noinline)) static void guilty_bloat(void)
{
	for (int i = 0; i < 300; i++) {
		tables[i] = malloc(1000);
		memset(tables[i], 5, 1000);
	}
}

/* Grows all the time, and is read all the time. */
static struct node *table;

__attribute__((noinline)) static void innocent_table(int i)
{
	struct node *n = malloc(sizeof(*n));

	snprintf(n->text, sizeof(n->text), "%d", i);
	n->next = table;
	table = n;
	for (n = table; n; n = n->next)
		n->text[80]++;
}

/* ---- */

static void plugin_work(const char *path, int i, int close)
{
	static void *lib;
	void (*f)(int);

	if (!lib && !(lib = dlopen(path, RTLD_NOW))) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	f = (void (*)(int))dlsym(lib, "plugin_work");
	f(i);
	if (close && i % 50 == 49) {
		dlclose(lib);
		lib = NULL;
	}
}

static void besides(const char *what, int i, const char *plugin)
{
	if (!strcmp(what, "list"))
		guilty_list(i);
	else if (!strcmp(what, "cache"))
		guilty_cache(i);
	else if (!strcmp(what, "wrapper"))
		guilty_wrapper(i);
	else if (!strcmp(what, "realloc"))
		guilty_resize(i);
	else if (!strcmp(what, "few"))
		guilty_few(i);
	else if (!strcmp(what, "table"))
		innocent_table(i);
	else if (!strcmp(what, "dlopen") || !strcmp(what, "dlclose"))
		plugin_work(plugin, i, !strcmp(what, "dlclose"));
}

/* plumb watch asks for data each time it writes its reports. */
static void wait_for_looks(unsigned n)
{
	const struct run_header *h = run_map(getenv("PLUMB_RUN_FILE"));
	uint64_t before = h->request;

	for (int i = 0; i < PATIENCE && h->request < before + n; i++)
		usleep(10000);
}

static void end(const char *how)
{
	if (!strcmp(how, "hold"))
		for (int i = 0; i < PATIENCE && access("go", F_OK) != 0; i++)
			usleep(10000);
	if (!strcmp(how, "clear")) {
		wait_for_looks(2);
		while (list) {
			struct node *n = list;

			list = n->next;
			free(n);
		}
	}
	if (!strcmp(how, "term"))
		kill(getpid(), SIGTERM);
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
}

static int real(void)
{
	const struct run_header *h = run_map(getenv("PLUMB_RUN_FILE"));

	start_work();
	for (int i = 0; i < PATIENCE && h->stale_bytes < 300000; i++) {
		for (int k = 0; k < 20; k++) {
			work();
			guilty_list(i);
		}
		usleep(2000);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 3 ? argv[1] : "none", *how = argc > 3 ? argv[3] : "exit";
	int rounds = argc > 2 ? atoi(argv[2]) : 1, thread = !strcmp(what, "thread");
	pthread_t t;

	if (argc > 1 && !strcmp(argv[1], "real"))
		return real();
	start_work();
	if (!strcmp(what, "bloat"))
		guilty_bloat();
	if (thread) {
		pthread_barrier_init(&turn, NULL, 2);
		pthread_create(&t, NULL, thread_main, &rounds);
	}
	if (!strcmp(what, "fork")) {
		pid_t child = fork();

		if (child > 0) {
			for (int i = 0; i < rounds * WORK; i++)
				work();
			waitpid(child, NULL, 0);
			return 0;
		}
		what = "list";		/* the child's */
	}
	for (int r = 0; r < rounds; r++) {
		if (thread)
			pthread_barrier_wait(&turn);
		for (int i = r * WORK; i < (r + 1) * WORK; i++) {
			work();
			besides(what, i, argc > 4 ? argv[4] : "");
		}
		if (thread)
			pthread_barrier_wait(&turn);
		step(ROUND);
	}
	end(how);
	if (thread)
		pthread_join(t, NULL);
	return 0;
}
