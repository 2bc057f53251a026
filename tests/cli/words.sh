# words.sh - what reports say: constants as the source has them, files are closed, regexes are released.
. "$ROOT/tests/lib.sh"

head='#include <dirent.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#define MAX 10
#define DEEP (1 << 3)
#define BIT(n) (1u << (n))
#define IS_DEEP(x) ((x) & DEEP)
enum mode { READ, WRITE = 0x20 };
int g(int);'

# The condition under which f() leaks, whose body has TEXT before the release.
condition()	# WHAT TEXT CONDITION
{
	local e
	printf '%s\nint f(int n, unsigned fl, enum mode m, const char *s)\n{\n\tchar *p = malloc(3);\n\n\t%s\n\tfree(p);\n\treturn 0;\n}\n' \
		"$head" "$2" >c.c
	for e in vfg path; do
		run "$PLUMB" check --no-cache --engine $e c.c
		check "$1: $3 ($e)" grep -qF "is not freed when \`$3\` [" .out
	done
}

condition "a character" "if (n == 'x') return 1;" "n == 'x'"
condition "a character that is escaped" "if (n == '\\n') return 1;" "n == '\\n'"
condition "a flag" 'if (fl & DEEP) return 1;' 'fl & DEEP'
condition "a flag that is not set" 'if (!(fl & DEEP)) return 1;' '!(fl & DEEP)'
condition "flags" 'if (fl & (DEEP|BIT(6))) return 1;' 'fl & (DEEP|BIT(6))'
condition "flags, some of them" 'if ((fl & (DEEP | 4)) == DEEP) return 1;' '(fl & (DEEP | 4)) == DEEP'
condition "a macro with an argument" 'if (fl & BIT(4)) return 1;' 'fl & BIT(4)'
condition "the value of an enumeration" 'if (m == WRITE) return 1;' 'm == WRITE'
condition "... that is zero" 'if (m == READ) return 1;' 'm == READ'
condition "... or not" 'if (m != READ) return 1;' 'm != READ'
condition "a hexadecimal number" 'if (fl == 0x1F) return 1;' 'fl == 0x1F'
condition "a negative one" 'if (n == EOF) return 1;' 'n == EOF'
condition "a sum, over a comment and two lines" 'if (n < MAX /* ten */
		+ 1) return 1;' 'n < MAX + 1'
condition "in a sum" 'if (n * MAX > 0x20) return 1;' 'n * MAX > 0x20'
condition "the constant on the left" 'if (MAX == n) return 1;' 'n == MAX'
condition "... of a call" 'if (MAX == g(n)) return 1;' 'g(n) == MAX'
condition "a size" 'if (fl > sizeof(n)) return 1;' 'fl > sizeof(n)'
condition "a case" "switch (n) { case 'a': return 1; default: break; }" "n == 'a'"
condition "a case with a name" "switch (n) { case 'a': break; case MAX: { return 1; } }" "n == MAX"
# What does not fit stays a number.
condition "the operator is a macro's" 'if (IS_DEEP(fl)) return 1;' 'fl & 8'
condition "a macro has the operator, too" '
#define REST == 4
	if (n REST) return 1;' 'n == 4'
condition "a number" 'if (n > 3) return 1;' 'n > 3'

# Sources that are not what was compiled.
printf '%s\nint f(int n)\n{\n\tchar *p = malloc(3);\n\n\tif (n == MAX)\n\t\treturn 1;\n\tfree(p);\n\treturn 0;\n}\n' "$head" >old.c
"$PLUMB" cc -g -c old.c -o old.o
sed -i 's/n == MAX/n >= LIMIT/' old.c
run "$PLUMB" check old.o
expect_out_has "a source that has another operator there" 'not freed when `n == 10`'
rm old.c
run "$PLUMB" check old.o
expect_out_has "a source that is not there" 'not freed when `n == 10`'

# ---- verbs ----

cat >verbs.c <<'END2'
#include <dirent.h>
#include <dlfcn.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
int file(const char *n) { FILE *f = fopen(n, "r"); if (!f) return 1; if (getc(f) == 3) return 2; fclose(f); return 0; }
int folder(const char *n) { DIR *f = opendir(n); return f != 0; }
int regex(const char *n, int k) { regex_t r; if (regcomp(&r, n, 0)) return 1; if (k) return 2; regfree(&r); return 0; }
int map(int k) { void *a = mmap(0, 9, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); if (a == MAP_FAILED || k) return 1; munmap(a, 9); return 0; }
int pipes(const char *n) { FILE *f = popen(n, "r"); return f != 0; }
int library(const char *n) { void *f = dlopen(n, RTLD_NOW); return f != 0; }
int memory(int n) { char *f = malloc(n); return f != 0; }
END2
for e in vfg path; do
	run "$PLUMB" check --no-cache --color never --engine $e verbs.c
	tr -s ' \n' ' ' <.out >flat
	for words in 'file opened by fopen is not closed' 'opened here by fopen' '`f` is not closed: the last' \
		     'directory opened by opendir is never closed' 'regex obtained by regcomp is not released' 'obtained here by regcomp' '`r` is not released: the last' \
		     'mapping made by mmap is not unmapped' 'pipe opened by popen is never closed' 'library opened by dlopen is never closed' \
		     'memory allocated by malloc is never freed' 'allocated here by malloc' '`f` is not freed: the last'; do
		check "$e: $words" grep -qF "$words" flat
	done
	check "$e: only memory is freed" [ "$(grep -o 'not freed' flat | wc -l)" -eq 1 ]
done

# ---- all messages ----

# Texts of the program, its manual pages and its documentation: nothing is told, nothing goes on when.
texts()
{
	grep -rhoE '"([^"\\]|\\.)*"' "$ROOT/src" "$ROOT/runtime" "$ROOT/valgrind" --include=*.c --include=*.h
	cat "$ROOT"/docs/man/*.[15] "$ROOT"/docs/*.md "$ROOT"/README.md
}
check "nothing goes on" [ -z "$(texts | grep -E '\b(goes|go|went) on (when|from|after|as|with)\b' | tee goes.on)" ]
check "nothing is told" [ -z "$(texts | grep -E '\b(is|are|be|been|was|were) told\b' | tee told)" ]
