// RUN: plumb dump ir %s
// Initialisers: every pointer, integers up to a limit, strings as text.

struct inner {
	const char *name;
	int n;
	void (*hook)(int);
};

struct outer {
	struct inner list[2];
	struct outer *self;
	union {
		int i;
		const int *p;
	} u;
	char text[6];
	double d;
};

static void hook(int n)
{
	(void)n;
}

static const int table[] = { 1, 0, 3 };

struct outer whole = {
	.list = { { "one", 1, hook }, { .n = 2, .name = "two" } },
	.self = &whole,
	.u.p = &table[2],
	.text = "inner",
	.d = 1.5,
};

char buffer[100];
char *middle = buffer + 50, *after = buffer + sizeof(buffer), *before = buffer - 1;
long address = (long)&whole.list[1].n;
struct outer *const *indirect = (struct outer *const *)&whole.self;
int many[40] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
		 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38 };
char zero[1000];
const char *const names[] = { "a", 0, "b" };
int *fixed = (int *)0x1000;

int local(int i)
{
	static int calls = 7;
	struct inner a[2] = { { "x", 1, hook }, { "y" } };
	char s[8] = "abc";
	int *p = (int[]){ 1, i };

	calls++;
	a[i].hook(calls);
	return s[i] + p[1];
}
