// Freed eight calls down.
#include <stdlib.h>

static void f8(char *p) { free(p); }
static void f7(char *p) { f8(p); }
static void f6(char *p) { f7(p); }
static void f5(char *p) { f6(p); }
static void f4(char *p) { f5(p); }
static void f3(char *p) { f4(p); }
static void f2(char *p) { f3(p); }
static void f1(char *p) { f2(p); }

void deep_ok(void)
{
	f1(malloc(8));
}

static void g8(char *p) { p[0] = 0; }
static void g7(char *p) { g8(p); }
static void g6(char *p) { g7(p); }
static void g5(char *p) { g6(p); }
static void g4(char *p) { g5(p); }
static void g3(char *p) { g4(p); }
static void g2(char *p) { g3(p); }
static void g1(char *p) { g2(p); }

void deep_bad(void)
{
	g1(malloc(8)); // LEAK(never-freed)
}

static char *h4(void) { return malloc(4); }
static char *h3(int n) { return n ? h4() : NULL; }
static char *h2(int n) { char *p = h3(n); return p; }
static char *h1(int n) { return h2(n + 1); }

void made_deep_ok(int n)
{
	free(h1(n));
}

void made_deep_bad(int n)
{
	h1(n); // LEAK(never-freed)
}
