# told_leaks.sh - an allocation that is lost in several places is told by the same one, wherever
# the sources lie: names of the program and of its files decide between equals, folders do not.
. "$ROOT/tests/lib.sh"

program()	# FOLDER
{
	mkdir -p "$1"
	cat >"$1/make.c" <<-'END'
		#include <stdlib.h>
		struct pair { char *a, *b; };
		static int count;
		static int fill(struct pair *p)
		{
			p->a = malloc(8);
			p->b = malloc(8);
			count++;
			return p->a && p->b;
		}
		char *make(void)
		{
			return malloc(16);
		}
		int lose_here(int n)
		{
			char *p = make();
			struct pair q;
			if (!fill(&q) || n > 3)
				return 1;
			free(q.a);
			return p != NULL;
		}
	END
	cat >"$1/use.c" <<-'END'
		#include <stdlib.h>
		struct pair { char *a, *b; };
		char *make(void);
		static int count;
		static int fill(struct pair *p)
		{
			for (int i = 0; i < 2; i++)
				*(i ? &p->b : &p->a) = make();
			count++;
			return p->a && p->b;
		}
		int lose_there(int n)
		{
			char *p = make();
			return p != NULL;
		}
		int lose_two(int n)
		{
			struct pair q;
			if (!fill(&q))
				return count;
			if (n == 2)
				free(q.b);
			return 0;
		}
	END
}

# The whole report, without the folder.
told()	# FOLDER ENGINE FILE...
{
	local folder=$1 engine=$2
	shift 2
	"$PLUMB" check --no-cache --engine "$engine" --format json "${@/#/$PWD/$folder/}" 2>/dev/null |
		sed "s#[^\"]*$folder/##g" | jq -S '.findings'
}

for folder in aaa zzz/yyy; do
	program "$folder"
done
for engine in vfg path all; do
	told aaa "$engine" make.c use.c >want
	check "$engine: there are findings" [ "$(jq length want)" -ge 2 ]
	told zzz/yyy "$engine" make.c use.c >got
	check "$engine: in another folder" diff want got
	(cd / && told "${OLDPWD#/}/zzz/yyy" "$engine" make.c use.c) >got
	check "$engine: run from elsewhere" diff want got
done
