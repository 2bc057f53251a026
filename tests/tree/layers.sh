# The tree is the architecture: a folder of src/ uses the folders above it in this
# list, never those below, and the outside world is known to one folder each.
. "$ROOT/tests/lib.sh"

order="base ir sym effect model front pta mssa finding vfg path check plan edit prove run report scan cli"
cd "$ROOT" || exit 1

# Folders that $1 includes from though they come after it.
wrong_uses()
{
	above=
	for f in $order; do
		above="$above $f"
		[ "$f" = "$1" ] && break
	done
	grep -noE '^#[[:space:]]*include "[a-z]+/[^"]*"' "src/$1"/*.[ch] /dev/null |
	while IFS= read -r hit; do
		to=${hit#*\"}
		to=${to%%/*}
		[ -d "src/$to" ] || continue
		case " $above " in
		*" $to "*) ;;
		*) echo "$hit" ;;
		esac
	done
}

for d in src/*/; do
	d=${d#src/}
	d=${d%/}
	case " $order " in
	*" $d "*) ;;
	*) echo "src/$d is not in the list of docs/architecture.md and $0"
	   not_ok "$d: a folder of the design"
	   continue ;;
	esac
	wrong=$(wrong_uses "$d")
	[ -z "$wrong" ] || echo "$wrong"
	check "$d uses only what is above it" [ -z "$wrong" ]
done

only_in()	# WHAT PATTERN FOLDER
{
	hits=$(grep -nE "^#[[:space:]]*include [<\"]$2" src/*/*.[ch] | grep -v "^src/$3/")
	[ -z "$hits" ] || echo "$hits"
	check "$1 is known to src/$3 only" [ -z "$hits" ]
}

hits=$(grep -nE '^#[[:space:]]*include "(vfg|path)/' src/*/*.[ch] | grep -vE '^src/(vfg|path|check)/')
[ -z "$hits" ] || echo "$hits"
check "the engines are known to src/check only" [ -z "$hits" ]

only_in LLVM llvm-c/ front
only_in libclang clang-c/ edit
only_in "the SMT solver" z3 path
only_in jansson jansson base
only_in SQLite sqlite3 scan
only_in elfutils "(elfutils/|gelf.h|libelf.h|dwarf.h)" run

hits=$(grep -nE '^#[[:space:]]*include "(\.\./)*(src/)?('"${order// /|}"')/' runtime/*.[ch] valgrind/*.[ch] 2>/dev/null)
[ -z "$hits" ] || echo "$hits"
check "runtime and valgrind use nothing of src" [ -z "$hits" ]

# What no person should have to find in a release.
hits=$(grep -nE '\b(TODO|FIXME|XXX)\b' -r src runtime valgrind models 2>/dev/null)
[ -z "$hits" ] || echo "$hits"
check "nothing is left to be done in the code" [ -z "$hits" ]
