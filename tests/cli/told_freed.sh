# told_freed.sh - the story of a double free has its steps in the order in which they happen.
. "$ROOT/tests/lib.sh"

cat >twice.c <<'END'
#include <stdlib.h>
struct pair { char *a; int n; };
static void reset(struct pair *p)
{
	free(p->a);
	p->n = 0;
}
int twice(int first, int second)
{
	struct pair x;
	x.a = malloc(8);
	if (!x.a)
		return -1;
	x.n = first;
	if (first > 3)
		reset(&x);
	if (second > 4)
		free(x.a);
	return 0;
}
END
"$PLUMB" check --no-cache --format json twice.c 2>/dev/null | jq -r '.findings[] | select(.kind == "double-free").path[] | "\(.line) \(.message)"' >told
check "a double free is told from first to last" diff - told <<'END'
11 allocated here by malloc
12 continues when `x.a`
15 continues when `first > 3`
16 freed here
17 continues when `second > 4`
18 freed a second time here
END
