// RUN: plumb dump ir %s
// setjmp returns twice, longjmp and exit never.

typedef long jmp_buf[25];
extern int setjmp(jmp_buf) __attribute__((returns_twice));
extern void longjmp(jmp_buf, int) __attribute__((noreturn));
extern void exit(int) __attribute__((noreturn));
extern void free(void *);

static jmp_buf env;

int run(char *p)
{
	if (setjmp(env)) {
		free(p);
		return 1;
	}
	if (!p)
		longjmp(env, 1);
	exit(0);
}
