# libplumb.so against the truth, on programs as they come: is staleness ever over-estimated, and
# how much of it is found?  The truth comes from a tool under Valgrind that sees every access
# (truth/tool.c), by a clock that counts instructions.  bench/watch-oracle.sh has more programs.
# TIMEOUT: 900
. "$ROOT/tests/lib.sh"

"$ROOT/tests/runtime/truth/build.sh" "$ROOT" "$PWD/oracle" >build.log 2>&1
case $? in
0) ;;
77)	skip "truth" "no Valgrind to build against"
	exit 0 ;;
*)	cat build.log
	not_ok "the oracle can be built"
	exit 0 ;;
esac

at_least()	# A B
{
	awk "BEGIN { exit !($1 >= $2) }"
}

for p in bash perl python3 make sqlite3 jq git; do
	line=$("$ROOT/tests/runtime/truth/run.sh" "$ROOT" "$PWD/oracle" $p 2>run.log)
	case $? in
	0) ;;
	77)	skip "$p" "not installed"
		continue ;;
	*)	cat run.log
		not_ok "$p runs under the oracle"
		continue ;;
	esac
	set -- $line
	check "$p: no staleness is over-estimated ($6 of $5 statements in $2 s)" \
		[ "$6" -eq 0 -a "$5" -gt 0 ]
	check "$p: weighted recall $8 (of objects $7; $4 sites)" at_least "$8" 0.9
done
