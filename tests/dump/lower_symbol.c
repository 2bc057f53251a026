// RUN: plumb dump ir %s
// Linkage: static, weak, common, aliases, thread-locals, asm labels, constructors.

extern void *malloc(unsigned long);

static int hidden;
int shared;
int tentative __attribute__((common));
int weak_data __attribute__((weak)) = 3;
extern int maybe __attribute__((weak));
_Thread_local char *per_thread;
static __thread int counter;
int renamed __asm__("other_name");
extern int data_alias __attribute__((alias("shared")));

static void impl(void)
{
	hidden++;
}

void strong_alias(void) __attribute__((alias("impl")));
void weak_alias(void) __attribute__((weak, alias("impl")));

__attribute__((weak)) void hook(void)
{
}

__attribute__((constructor)) static void first(void)
{
	per_thread = malloc(8);
}

__attribute__((destructor)) void last(void)
{
	counter--;
}

static inline int twice(int x)
{
	return 2 * x;
}

extern void die(int) __attribute__((noreturn));
extern char *fresh(void) __attribute__((malloc));
extern int pure(const char *) __attribute__((pure));
extern int read_int(void) __asm__("__read_int");

int main(void)
{
	strong_alias();
	weak_alias();
	hook();
	if (&maybe)
		return maybe + data_alias + renamed + tentative;
	if (pure(fresh()))
		die(twice(read_int()));
	return 0;
}
