# train_lib.sh - for the benchmarks of training and cyclic runs: start a server, load
# it, stop it.  Sourced; needs $PLUMB and a folder $WORK.
#
#	build_servers [COMPILER]	examples/leaky/* into $WORK
#	train_server NAME COUNT...	one training run for each COUNT, into $WORK/NAME.bounds
#	serve NAME LOADARGS COMMAND...	runs COMMAND as server NAME under load; what the client
#					says is in $WORK/NAME.load
#
# Servers use the loopback interface only and end by themselves.

SERVERS=${SERVERS-"snmp reject recent sizes"}
LEAKY=$(cd "$(dirname "${BASH_SOURCE[0]}")/../examples/leaky" && pwd)

build_servers()	# [COMPILER...]
{
	mkdir -p "$WORK"
	[ $# -gt 0 ] || set -- "${CC:-gcc}"
	for s in $SERVERS late; do
		"$@" -O1 -g -o "$WORK/$s" "$LEAKY/$s.c" "$LEAKY/serve.c" || return 1
	done
	${CC:-gcc} -O1 -o "$WORK/load" "$LEAKY/load.c"
}

# The arguments of a server: where it listens, if it must be told.
server_args()
{
	if [ "$1" = reject ]; then
		echo "$WORK/reject.sock"
	fi
}

# The process that is the server itself: the program below plumb and Valgrind.
server_pid()	# PID NAME
{
	local pid=$1 child

	while child=$(pgrep -P "$pid" | head -n 1) && [ -n "$child" ]; do
		pid=$child
	done
	echo "$pid"
}

serve()	# NAME LOADARGS COMMAND...
{
	local name=$1 args=$2 out=$WORK/$1.out port= starter
	shift 2

	: >"$out"
	"$@" >"$out" 2>"$WORK/$name.err" &
	starter=$!
	for _ in $(seq 600); do
		port=$(sed -n 's/^port //p' "$out")
		[ -n "$port" ] && break
		kill -0 $starter 2>/dev/null || break
		sleep 0.05
	done
	if [ -z "$port" ]; then
		wait $starter
		return 1
	fi
	# shellcheck disable=SC2086
	"$WORK/load" -q -p "$(server_pid $starter)" $args "$port" "$count" >"$WORK/$name.load"
	status=$?
	if [ $status -ne 0 ]; then	# no answer: the server may hang
		kill -KILL "$(server_pid $starter)" $starter 2>/dev/null
	fi
	wait $starter
	server_status=$?
	return $status
}

train_server()	# NAME COUNT...
{
	local name=$1 count
	shift

	rm -f "$WORK/$name.bounds"
	for count in "$@"; do
		# shellcheck disable=SC2046
		serve "$name" "" "$PLUMB" train -o "$WORK/$name.bounds" -- "$WORK/$name" \
			$(server_args "$name") || return 1
	done
}

# The value at the first line `memory N KB` with N >= $2 of a load's output.
memory_at()	# FILE REQUESTS
{
	awk -v n="$2" '$1 == "memory" && $2 >= n { print $3; exit }' "$1"
}

answers()
{
	sed -n 's/^answers //p' "$1"
}
