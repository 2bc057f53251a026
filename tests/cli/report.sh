# TIMEOUT: 300
#
# plumb report over files that the other commands really made: they must meet at one site.
# (Pages in all their forms: tests/report/site.sh.)
. "$ROOT/tests/lib.sh"

mkdir src
cat >src/serve.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static char *parse(const char *line)
{
	char *name = xmalloc(64);

	snprintf(name, 64, "<%s>", line);
	return name;
}

__attribute__((noinline)) static size_t answer(const char *line)
{
	char *name = parse(line);	/* leaks */
	char *copy = xmalloc(80);
	size_t n;

	strcpy(copy, name);
	n = strlen(copy);
	free(copy);
	return n;
}

int main(int argc, char **argv)
{
	size_t sum = 0;

	for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 10); i++)
		sum += answer("request");
	printf("%zu\n", sum);
	return 0;
}
END
line=$(grep -n 'leaks \*/' src/serve.c | cut -d: -f1)
cc -O0 -g -o serve src/serve.c
"$PLUMB" check --format json -o findings.json src/serve.c
run "$PLUMB" watch -q -o run -- ./serve 100
inputs="findings.json run.json"
if [ -e "$ROOT/build/valgrind/plumb-amd64-linux" ]; then
	"$PLUMB" train -o serve.bounds -- ./serve 20 >/dev/null
	"$PLUMB" train -o serve.bounds -- ./serve 80 >/dev/null
	"$PLUMB" bounds --format json serve.bounds >named.json
fi

# What is said of the site of a line.
kinds()	# PAGE LINE
{
	tr '\n' ' ' <"$1" | sed 's/<tbody class="site"/\n&/g' | grep "<span class=\"file\">src/serve.c:$2</span></button>" |
		sed 's/^[^>]*data-kind="\([^"]*\)".*/\1/'
}

# shellcheck disable=SC2086
run "$PLUMB" report $inputs -o page.html
expect_status "findings and a run" 0
check "meet at one site" [ "$(kinds page.html "$line" | wc -l)" -eq 1 ]
check "that of the finding" grep -qw found <(kinds page.html "$line")
check "with what was seen in the run" grep -q 'Seen in the run of <code>./serve 100</code>' page.html
if [ -e "$ROOT/build/valgrind/plumb-amd64-linux" ]; then
	for b in serve.bounds named.json; do
		# shellcheck disable=SC2086
		run "$PLUMB" report $inputs $b -o page.html
		expect_status "with $b" 0
		[ "$(kinds page.html "$line")" = "found trained bounded" ] || kinds page.html "$line"
		check "$b: the leak and its bound are one site" [ "$(kinds page.html "$line")" = "found trained bounded" ]
		check "$b: it can run for ever" grep -q 'can run for ever with a bound of <b>1</b> object' page.html
		check "$b: what is freed is another site, and no leak" [ "$(kinds page.html $((line + 1)))" = live ]
	done
else
	skip "bounds" "the Valgrind tool is not built on this machine"
fi
mkdir elsewhere
# shellcheck disable=SC2086
(cd elsewhere && "$PLUMB" report ../findings.json ../run.json --root .. -o page.html)
check "from another folder: --root" [ "$(kinds elsewhere/page.html "$line" | wc -l)" -eq 1 ]
check "and its sources are shown" grep -q 'leaks \*/' elsewhere/page.html
