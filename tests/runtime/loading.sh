# Modules and programs that have a way of their own to malloc and free, and programs that
# cannot take a preloaded library: none of them may notice.
. "$ROOT/tests/lib.sh"

progs=$ROOT/build/tests/runtime
cc=${CC:-gcc}

# ---- modules ----

mkdir sub mod
cat >dep.c <<'END'
int dep(void);
int dep(void) { return 42; }
END
cat >mod.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
int mod(void);
int mod(void)
{
	void *dep = dlopen("libdep.so", RTLD_NOW);	/* found by this module's RUNPATH */
	int (*f)(void) = dep ? (int (*)(void))dlsym(dep, "dep") : NULL;
	char *p = strdup("libc calls malloc"), *q = malloc(40);

	free(realloc(p, 4000));
	free(q);
	free(realpath(".", NULL));
	return f ? f() : 1;
}
END
cat >main.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *h = argc > 2 ? dlmopen(atoi(argv[2]), argv[1], RTLD_NOW | RTLD_DEEPBIND) :
			     dlopen(argv[1], RTLD_NOW | RTLD_DEEPBIND);
	int (*f)(void) = h ? (int (*)(void))dlsym(h, "mod") : NULL;

	if (f == NULL) {
		puts(dlerror());
		return 1;
	}
	return f();
}
END
# By the handle of libc itself, as languages with a foreign function interface do it; and
# RTLD_NEXT, which means the caller's next.
cat >handle.c <<'END'
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	void (*release)(void *) = (void (*)(void *))dlsym(libc, "free");
	void *(*resize)(void *, size_t) = (void *(*)(void *, size_t))dlsym(libc, "realloc");
	char *(*copy)(const char *) = (char *(*)(const char *))dlsym(libc, "strdup");
	size_t (*size)(void *) = (size_t (*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");

	for (int i = 0; i < 1000; i++) {
		char *p = copy("text"), *q = malloc(100);

		if (p == NULL || q == NULL || size(q) < 100 || (q = resize(q, 5000)) == NULL)
			return 1;
		release(p);
		release(q);
	}
	return dlsym(RTLD_DEFAULT, "no_such_symbol") == NULL &&
	       dlsym(libc, "no_such_symbol") == NULL && dlerror() != NULL ? 42 : 2;
}
END
# A malloc of the program's own, in front of libc's by libc's own name; free is libc's.
cat >own.c <<'END'
#include <stdlib.h>
#include <string.h>
void *__libc_malloc(size_t n);
void *malloc(size_t n) { return __libc_malloc(n); }
int main(void)
{
	char *p = malloc(100);

	strcpy(p, "contents");
	p = realloc(p, 100000);
	if (p == NULL || strcmp(p, "contents") != 0)
		return 1;
	free(p);
	return 42;
}
END
$cc -shared -fPIC -o sub/libdep.so dep.c
# shellcheck disable=SC2016
$cc -D_GNU_SOURCE -shared -fPIC -Wl,-rpath,'$ORIGIN/../sub' -Wl,--enable-new-dtags -o mod/mod.so mod.c
for p in main handle own; do
	$cc -D_GNU_SOURCE -fno-builtin -rdynamic -o $p $p.c || not_ok "$p can be built"
done

for name in libplumb libplumb-run; do
	LIB=$ROOT/build/$name.so
	run_any env LD_PRELOAD="$LIB" ./main "$PWD/mod/mod.so"
	expect_status "$name: dlopen(RTLD_DEEPBIND), and the module's RUNPATH" 42
	run_any env LD_PRELOAD="$LIB" ./main "$PWD/mod/mod.so" 0
	expect_status "$name: dlmopen() into the program's namespace" 42
	run_any env LD_PRELOAD="$LIB" ./main "$PWD/mod/mod.so" -1
	expect_status "$name: dlmopen() into a new one" 42
	run_any env LD_PRELOAD="$LIB" ./main "$PWD/mod/none.so"
	expect_out_has "$name: a module that is not there" 'none.so: cannot open'
	run_any env LD_PRELOAD="$LIB" ./handle
	expect_status "$name: dlsym() on the handle of libc" 42
	run_any env LD_PRELOAD="$LIB" ./own
	expect_status "$name: a malloc in front of __libc_malloc" 42
done

# ---- programs that are executed ----

# What stands for musl is a loader of that name, which shows what it was given instead of
# loading anything; the same as a 32-bit program.
cat >shows.c <<'END'
static long call(long n, long a, long b, long c)
{
	long ret;
#ifdef __i386__
	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(n == 1 ? 4 : 1), "b"(a), "c"(b), "d"(c) : "memory");
#else
	__asm__ volatile("syscall" : "=a"(ret) : "a"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
#endif
	return ret;
}
__attribute__((used, noreturn)) void begin(long *sp)
{
	const char name[] = "LD_PRELOAD=";
	char **env = (char **)sp + 1 + sp[0] + 1;
	unsigned n;

	call(1, 1, (long)"ran: ", 5);
	for (; *env; env++) {
		for (n = 0; n < sizeof(name) - 1 && (*env)[n] == name[n]; n++)
			;
		if (n < sizeof(name) - 1)
			continue;
		for (n = 0; (*env)[n]; n++)
			;
		call(1, 1, (long)*env, n);
	}
	call(1, 1, (long)"\n", 1);
	for (;;)
		call(60, 7, 0, 0);
}
#ifdef __i386__
__asm__(".globl _start\n_start: movl %esp, %eax\n pushl %eax\n call begin\n");
#else
__asm__(".globl _start\n_start: movq %rsp, %rdi\n andq $-16, %rsp\n call begin\n");
#endif
END
flags='-O1 -nostdlib -static -ffreestanding -fno-pie -no-pie -fno-stack-protector -fno-asynchronous-unwind-tables'
# shellcheck disable=SC2086
$cc $flags -o ld-musl-x86_64.so.1 shows.c || not_ok "a loader can be built"
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) { printf("ran: %s\n", getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : ""); return 7; }
END
$cc -o plain prog.c
$cc -Wl,--dynamic-linker="$PWD/ld-musl-x86_64.so.1" -o musl prog.c || not_ok "musl can be built"
$cc -fsanitize=address -o asan prog.c || not_ok "asan can be built"
printf '#!%s/musl x\n' "$PWD" >script
printf '#! %s/script\n' "$PWD" >script2
chmod +x script script2
PATH=$PWD:$PATH
export PATH ASAN_OPTIONS=detect_leaks=0

for name in libplumb libplumb-run; do
	LIB=$ROOT/build/$name.so
	for how in execve execv execvp execvpe execl execle execlp fexecve execveat execveat-fd vfork \
		   posix_spawn posix_spawnp system popen many; do
		run_any env LD_PRELOAD="$LIB" "$progs/executing" $how ./musl
		check "$name: $how: a program of another C library runs without us ($status, $out$err)" \
			[ "$status$out$err" = "7ran: " ]
		run_any env LD_PRELOAD="$LIB" "$progs/executing" $how ./plain
		check "$name: $how: an ordinary one with us" [ "$status$out$err" = "7ran: $LIB" ]
	done
	for how in execvp execvpe execlp posix_spawnp; do
		run_any env LD_PRELOAD="$LIB" "$progs/executing" $how musl
		check "$name: $how looks for it in PATH" [ "$status$out$err" = "7ran: " ]
	done
	for what in script script2 asan; do
		run_any env LD_PRELOAD="$LIB" "$progs/executing" execve "./$what"
		check "$name: $what ($status, $out$err)" [ "$status$out$err" = "7ran: " ]
	done
	run_any env LD_PRELOAD="$LIB" "$progs/executing" missing x
	expect_status "$name: a program that is not there" 3
	run_any env LD_PRELOAD="$LIB" "$progs/executing" execve "$PWD/none"
	expect_status "$name: nor this one" 102
done
LIB=$ROOT/build/libplumb.so

# What others have put there stays.
cp mod/mod.so other.so
run_any env LD_PRELOAD="$PWD/other.so $LIB:$ROOT/build/libplumb-run.so:$PWD/sub/libdep.so" \
	"$progs/executing" execve ./musl
check "other preloaded libraries stay" \
	[ "$status$out$err" = "7ran: LD_PRELOAD=$PWD/other.so:$PWD/sub/libdep.so" ]

# The library cannot be opened any more.
mkdir gone
cp "$LIB" gone/
cat >leaves.c <<'END'
#include <unistd.h>
int main(int argc, char **argv) { unlink(argv[1]); return execv(argv[2], argv + argc - 1); }
END
$cc -o leaves leaves.c
run_any env LD_PRELOAD="$PWD/gone/libplumb.so" ./leaves "$PWD/gone/libplumb.so" ./plain
check "a library that is not there any more: nothing is said ($err)" [ "$status$out$err" = "7ran: " ]

# shellcheck disable=SC2086
if $cc -m32 $flags -o bits32 shows.c 2>/dev/null && ./bits32 >/dev/null; [ $? -eq 7 ]; then
	run_any env LD_PRELOAD="$LIB" "$progs/executing" execve ./bits32
	check "a 32-bit program" [ "$status$out$err" = "7ran: " ]
else
	skip "a 32-bit program" "cannot be built or does not run here"
fi
