#!/bin/bash
# real.sh - cyclic allocation on real programs, unmodified and as Debian built them:
# training, validation, and a run whose output must be that of the plain program.
#
#	bench/real.sh [PROGRAM...]	bash sqlite3 perl git redis xinetd
#
# Prints Table 1 of Nguyen and Rinard for them: the share of executed sites that are
# m-bounded, the share of memory allocated there, and the share of bounds that the
# validation input shows to be too small.  Exit code 1 if an output differs or fewer
# than half of the sites are m-bounded.

cd "$(dirname "$0")/.." || exit 1
TOP=$PWD
PLUMB=${PLUMB:-$PWD/build/plumb}
WORK=${WORK:-$PWD/build/bench/real}
LIMIT=${LIMIT:-300}		# seconds for one run
bad=0
mkdir -p "$WORK"

#
# Inputs.  input_X N writes the input of size N, run_X N is the command of one run.
#

cat >"$WORK/script.sh" <<'END'
n=$1; declare -A h; s=0
for ((i = 0; i < n; i++)); do h[k$i]=$((i * i)); x="abc $i"; y=${x//b/zz}; s=$((s + ${#y})); done
f() { local z=$1; printf '%s\n' "${z^^}"; }
for ((i = 0; i < n / 20; i++)); do f "line $i"; done
for k in "${!h[@]}"; do s=$((s + h[$k])); done; echo $s
a=($(for ((i = 0; i < n / 10; i++)); do echo "w$((i * 7919 % 1000))"; done)); echo "${#a[@]} ${a[-1]}"
while read -r w; do case $w in *1) echo "one $w" ;; *2) echo "two" ;; esac; done < <(printf '%s\n' "${a[@]}")
trap 'echo bye' EXIT; (cd / && pwd); echo "$(for i in 1 2 3; do echo $i; done | sort -r)"
END
cat >"$WORK/script.pl" <<'END'
my $n = shift; my (%h, @a);
for my $i (1 .. $n) { my $s = "item $i"; $s =~ s/(\d+)/<$1>/; $h{$s} = length $s; push @a, $s if $i % 7 == 0; }
my @b = sort { $h{$a} <=> $h{$b} or $a cmp $b } keys %h;
print scalar(@b), " ", join(",", @b[0 .. 4]), "\n";
printf "%s\n", join "", map { chr(65 + $_ % 26) } 1 .. $n / 4;
my $t = ""; for my $i (1 .. $n) { $t .= sprintf("%05d:%s;", $i, "x" x ($i % 9)); }
my @f = split /;/, $t; my %c; $c{length $_}++ for @f; print join(" ", map { "$_=$c{$_}" } sort keys %c), "\n";
sub fib { my $x = shift; $x < 2 ? $x : fib($x - 1) + fib($x - 2) } print fib(12), "\n";
END

run_bash() { echo bash "$WORK/script.sh" "$1"; }
run_perl() { echo perl "$WORK/script.pl" "$1"; }
run_sqlite3()
{
	cat >"$WORK/q$1.sql" <<-END
	create table t(a integer primary key, b text, c real);
	with recursive n(i) as (select 1 union all select i+1 from n where i<$1)
	  insert into t select i, 'row '||i||hex(i*7), i*1.5 from n;
	create index ib on t(b);
	select count(*), sum(c), max(b) from t where b like '%7%';
	select a%10, count(*), avg(c) from t group by 1 order by 2 desc;
	delete from t where a%3=0; select count(*) from t; update t set b=b||'x' where a%5=0;
	select group_concat(b) from (select b from t order by c desc limit 20);
	END
	echo sqlite3 :memory: ".read $WORK/q$1.sql"
}
# A repository of its own, so that its history is always the same.
make_repository()
{
	[ -d "$WORK/repo/.git" ] && return
	rm -rf "$WORK/repo"
	git init -q "$WORK/repo" && (
		cd "$WORK/repo" || exit
		git config user.name plumb && git config user.email plumb@example.org
		git config gc.auto 0
		for i in $(seq 120); do
			for k in 1 2 3; do seq "$((i * k))" $((i * k + i)) >"file$((i % 7))_$k"; done
			git add . && GIT_AUTHOR_DATE="$((1600000000 + i)) +0000" \
				GIT_COMMITTER_DATE="$((1600000000 + i)) +0000" git commit -qm "change $i"
		done)
}
run_git() { make_repository; echo git -C "$WORK/repo" log --stat -p -n "$1"; }

#
# Servers: run_server_X N PREFIX... serves N clients and prints the answers.
#

wait_for()	# FILE-OR-PORT, up to 60 s
{
	for _ in $(seq 600); do
		(: </dev/tcp/127.0.0.1/"$1") 2>/dev/null && return 0
		sleep 0.1
	done
	return 1
}

# Ends a server that does not answer, and what runs it, from the innermost on.
stop_server()	# PID
{
	local child

	for child in $(pgrep -P "$1"); do stop_server "$child"; done
	kill -KILL "$1" 2>/dev/null
}

server_redis()	# N PREFIX...
{
	local n=$1 port=7411 pid
	shift
	"$@" /usr/bin/redis-server --port $port --save '' --appendonly no --bind 127.0.0.1 \
		--dir "$WORK" >"$WORK/redis.log" 2>&1 &
	pid=$!
	wait_for $port || { stop_server $pid; return 1; }
	{
		for ((i = 0; i < n; i++)); do
			echo "set key$i value$i"; echo "incr count"; echo "lpush list$((i % 5)) $i"
			echo "hset hash f$i $((i * 3))"; echo "sadd set m$((i % 50))"; echo "zadd z $i m$i"
			((i % 10)) || { echo "get key$((i / 2))"; echo "lrange list1 0 5"; echo "hlen hash"; }
			((i % 25)) || { echo "del key$((i / 3))"; echo "zrange z 0 3"; echo "scard set"; }
			((i % 40)) || echo "eval 'return redis.call(\"get\",KEYS[1])' 1 count"
		done
		echo "shutdown nosave"
	} | redis-cli -p $port
	wait $pid
}

server_xinetd()	# N PREFIX...
{
	local n=$1 port=7412 pid
	shift
	cat >"$WORK/xinetd.conf" <<-END
	defaults
	{
	 instances = 50
	 log_type = FILE $WORK/xinetd.log
	}
	service served
	{
	 type = UNLISTED
	 socket_type = stream
	 protocol = tcp
	 wait = no
	 user = $(id -un)
	 bind = 127.0.0.1
	 port = $port
	 server = /bin/echo
	 server_args = hello
	}
	service refused
	{
	 type = UNLISTED
	 socket_type = stream
	 protocol = tcp
	 wait = no
	 user = $(id -un)
	 bind = 127.0.0.1
	 port = $((port + 1))
	 no_access = 127.0.0.1
	 server = /bin/echo
	 server_args = never
	}
	END
	"$@" /usr/sbin/xinetd -dontfork -f "$WORK/xinetd.conf" -pidfile "$WORK/xinetd.pid" \
		>"$WORK/xinetd.err" 2>&1 &
	pid=$!
	wait_for $port || { stop_server $pid; return 1; }
	for ((i = 0; i < n; i++)); do
		cat </dev/tcp/127.0.0.1/$port
		echo "refused: $(cat 2>/dev/null </dev/tcp/127.0.0.1/$((port + 1)))"
	done
	kill "$(cat "$WORK/xinetd.pid")" || stop_server $pid
	wait $pid
}

one_run()	# PROGRAM N PREFIX...
{
	local prog=$1 n=$2 cmd
	shift 2
	if [ "$(type -t "server_$prog")" = function ]; then
		"server_$prog" "$n" "$@"
	elif [ "$prog" = sqlite3 ]; then
		run_sqlite3 "$n" >/dev/null
		timeout "$LIMIT" "$@" sqlite3 :memory: ".read $WORK/q$n.sql" </dev/null
	else
		cmd=$("run_$prog" "$n")
		# shellcheck disable=SC2086
		timeout "$LIMIT" "$@" $cmd </dev/null
	fi
}

sizes_of()	# training..., validation last
{
	case $1 in
	bash) echo 40 100 250 600 ;;
	perl) echo 100 400 1500 5000 ;;
	sqlite3) echo 50 200 800 3000 ;;
	git) echo 5 15 40 120 ;;
	redis) echo 20 60 150 500 ;;
	xinetd) echo 3 6 12 30 ;;
	esac
}

table=
for prog in ${*:-bash sqlite3 perl git redis xinetd}; do
	read -r a b c last <<<"$(sizes_of "$prog")"
	rm -f "$WORK/$prog.bounds" "$WORK/$prog.valid"
	for n in $a $b $c; do
		one_run "$prog" "$n" "$PLUMB" train -o "$WORK/$prog.bounds" -- >"$WORK/$prog.train.out" 2>&1
	done
	one_run "$prog" "$last" "$PLUMB" train -o "$WORK/$prog.valid" -- >/dev/null 2>&1
	one_run "$prog" "$last" env >"$WORK/$prog.plain" 2>/dev/null
	one_run "$prog" "$last" "$PLUMB" run --bounds "$WORK/$prog.bounds" -- \
		>"$WORK/$prog.cyclic" 2>"$WORK/$prog.notes"
	"$PLUMB" bounds "$WORK/$prog.bounds" --validate "$WORK/$prog.valid" >"$WORK/$prog.table"
	same=same
	cmp -s "$WORK/$prog.plain" "$WORK/$prog.cyclic" && [ -s "$WORK/$prog.plain" ] || { same=DIFFERS; bad=1; }
	row=$(tail -n 1 "$WORK/$prog.table")
	echo "$prog: $row; output $same"
	share=$(sed -n 's/.*m-bounded (\([0-9.]*\)%).*/\1/p' <<<"$row")
	[ "$(echo "${share:-0} >= 50" | bc)" = 1 ] || bad=1
	table+=$(printf '%-9s %6s %11s %9s %13s  %s' "$prog" "$(sed 's/ .*//' <<<"$row")" "$share" \
		"$(sed -n 's/.* \([0-9.]*\)% of memory.*/\1/p' <<<"$row")" \
		"$(sed -n 's/.*invalidated (\([0-9.]*\)%).*/\1/p' <<<"$row")" "$same")$'\n'
done
echo
printf '%-9s %6s %11s %9s %13s  %s\n' program sites '% m-bounded' '% memory' '% invalidated' output
printf '%s' "$table"
exit $bad
