#!/bin/bash
#
# watch-programs.sh - do real programs do the same under plumb's run-time library?
#
#	bench/watch-programs.sh [PROGRAM...]	default: all
#
# Each program is a function p_NAME below that runs it on some work and prints what
# it gave; what differs from run to run by nature is left out there.  It is run twice,
# plainly and with the library preloaded ("${W[@]}" stands before the program), and the
# two outputs and exit codes are compared.  After a watched run, the run files must be
# there and be readable.
#
# Servers listen on the loopback interface and end with their test.
#
# Writes build/bench/results/watch-programs.txt; exits with 1 if one differs.

. "$(dirname "$0")/lib.sh"

LIB=${LIB:-$TOP/build/libplumb.so}
READRUN=$TOP/build/tests/runtime/readrun
TEXT=$OUT/results/watch-programs.txt
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
chmod 755 "$WORK"
W=()

need_packages()
{
	local missing=() p

	for p in "$@"; do
		dpkg -s "$p" >/dev/null 2>&1 || missing+=("$p")
	done
	[ ${#missing[@]} -eq 0 ] || apt-get install -y -q "${missing[@]}" >/dev/null
}

# Waits until something listens on a port.
wait_port()
{
	local i

	for i in $(seq 100); do
		(exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
		sleep 0.1
	done
	die "nothing listens on port $1"
}

PORT=$((20000 + $$ % 10000))

p_bash()
{
	"${W[@]}" bash -c '
		for i in $(seq 300); do x=$(echo $i | cat); echo ${x//1/one}; done
		a=(); for i in {1..5000}; do a+=("item $i"); done; echo ${#a[@]} "${a[4999]}"
		f() { local n=$1; [ $n -gt 0 ] && f $((n - 1)); echo $n; }; f 50
		trap "echo trapped" USR1; kill -USR1 $$; (exit 3); echo $?
		coproc cat; echo hello >&${COPROC[1]}; read -r l <&${COPROC[0]}; echo "$l"
		ulimit -v 4000000; echo $(seq 10000 | sort -rn | head -3)
		diff <(seq 10) <(seq 9); printf "%s\n" {a..e}{1..9} | sort -R | sort | md5sum'
}

# bash's own tests, as far as they need nothing but bash.
p_bash_suite()
{
	local src=$OUT/src/bash/tests t

	[ -d "$src" ] || { "$BENCH_DIR/fetch.sh" bash >/dev/null 2>&1 || return 0; }
	[ -d "$src" ] || src=$(dirname "$(find "$OUT/src/bash" -name run-all | head -1)")
	cd "$src"
	for t in arith array assoc braces case casemod comsub cond cprint dollars dynvar \
		exp2 exportfunc func getopts heredoc ifs invert iquote nquote parser posixexp \
		precedence quote rhs-exp rsh set-e shopt strip tilde type varenv; do
		[ -f "$t.tests" ] || continue
		echo "== $t"
		THIS_SH=/bin/bash BASH_TSTOUT=$WORK/tst TMPDIR=$WORK \
			"${W[@]}" bash "./$t.tests" 2>&1 </dev/null |
			sed "s/[0-9]\{4,\}/N/g; s,$WORK,WORK,g" || true
	done
}

p_python()
{
	"${W[@]}" python3 - <<-'END'
		import json, re, threading, subprocess, hashlib, os, gc
		d = {str(i): [i] * 10 for i in range(20000)}
		s = json.dumps(d); print(len(s), json.loads(s) == d)
		print(len(re.findall(r'\d+', s)), hashlib.md5(s.encode()).hexdigest())
		out = []
		def work(n):
		    out.append(sum(len(str(i)) for i in range(n)))
		ts = [threading.Thread(target=work, args=(50000 + i,)) for i in range(4)]
		[t.start() for t in ts]; [t.join() for t in ts]; print(sorted(out))
		print(subprocess.run(['sh', '-c', 'echo child; exit 3'], capture_output=True))
		r, w = os.pipe(); pid = os.fork()
		if pid == 0:
		    os.write(w, str(sum(len(v) for v in d.values())).encode()); os._exit(0)
		print(os.read(r, 100), os.waitpid(pid, 0)[1])
		import multiprocessing as mp
		print(mp.get_context('fork').Pool(2).map(abs, range(-5, 5)))
	END
}

# Parts of its own test suite; times and the order of warnings are left out.
p_python_suite()
{
	local py=$(command -v python3)

	"$py" -c 'import test.support' 2>/dev/null || { echo "no test suite here"; return; }
	cd "$WORK"
	"${W[@]}" "$py" -m test test_list test_dict test_set test_str test_bytes test_json \
		test_re test_zlib test_struct test_array test_deque test_heapq test_itertools \
		test_generators test_threading test_thread test_queue test_subprocess test_fork1 \
		test_signal test_mmap test_sqlite3 test_ctypes test_gc test_weakref 2>&1 |
		grep -E '^(test_|[0-9]+ tests? |Result|All)' |
		sed 's/ in [0-9.]* .*//; s/^.*\] //' | grep -v '^Total\| passed$' || true
}

p_perl()
{
	"${W[@]}" perl -e '
		my %h; $h{$_ % 1000} .= "x$_" for 1 .. 100000;
		print length(join "", map { $h{$_} } sort keys %h), "\n";
		my $p = fork; if (!$p) { print "child\n"; exit 3 } waitpid($p, 0); print $? >> 8, "\n";
		my $s = join ",", 1 .. 50000; my $n = () = $s =~ /(\d)\1/g; print "$n\n";
		open my $f, "-|", "seq 3" or die; print <$f>;
		print scalar reverse("stale"), "\n"; my @l = sort { $a <=> $b } map { $_ * 7919 % 10007 } 1 .. 20000; print "$l[0] $l[-1]\n"'
}

p_git()
{
	local r=$WORK/repo

	rm -rf "$r"
	"${W[@]}" git clone -q "$TOP" "$r" && cd "$r"
	"${W[@]}" git log --stat -20 | head -300
	"${W[@]}" git blame Makefile | md5sum
	"${W[@]}" git grep -c malloc | sort | head -50
	"${W[@]}" git repack -q -a -d && "${W[@]}" git fsck 2>/dev/null && "${W[@]}" git gc -q
	"${W[@]}" git diff HEAD~5 HEAD --stat | tail -1
}

p_sqlite()
{
	"${W[@]}" sqlite3 :memory: "
		create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c
		where x < 100000) insert into t select x, hex(x * 7) from c; create index i on t(b);
		select count(*), sum(length(b)), max(b) from t; select b from t order by b limit 20;
		delete from t where a % 3 = 0; vacuum; select count(*), group_concat(a) from t where a < 50;
		select substr(b, 1, 2), count(*) from t group by 1 order by 2 desc limit 10;"
}

p_gcc()
{
	{
		cat "$TOP"/src/base/*.h | grep -h '^#include <' | sort -u
		echo 'int f(int x) {'
		for i in $(seq 3000); do echo "x = x * $i + (x >> $((i % 31))); if (x % $((i + 2)) == 0) x ^= $i;"; done
		echo 'return x; }'
	} >"$WORK/large.c"
	"${W[@]}" gcc -O2 -S -o - "$WORK/large.c" | md5sum
	cd "$TOP" && "${W[@]}" gcc -O2 -D_GNU_SOURCE -Isrc -Ibuild/gen -S -o - src/base/json.c | md5sum
}

p_vim()
{
	cd "$WORK" && seq 2000 >v.txt && rm -f v.out
	script -qec "${W[*]} vim -u NONE -n -i NONE -c 'set nomore' -c '%s/1/one/g' -c 'g/7/d' \
		-c 'normal ggdG' -c 'undo' -c 'syntax on' -c 'split' -c 'w! v.out' -c 'qa!' v.txt" \
		/dev/null </dev/null | tr -d '\r' | sed 's/\x1b[^a-zA-Z]*[a-zA-Z]//g' | md5sum
	md5sum <v.out
}

p_redis()
{
	rm -f "$WORK/dump.rdb"
	"${W[@]}" redis-server --port $PORT --save "" --dir "$WORK" >"$WORK/redis.log" 2>&1 &
	wait_port $PORT
	redis-cli -p $PORT eval '
		for i = 1, 20000 do redis.call("set", "k" .. i, string.rep("v", i % 300)) end
		for i = 1, 20000, 3 do redis.call("del", "k" .. i) end
		for i = 1, 5000 do redis.call("lpush", "l", i); redis.call("zadd", "z", i * 7 % 1000, i) end
		return redis.call("dbsize")' 0
	redis-benchmark -p $PORT -n 20000 -q -t set,get,incr,lpush,hset,zadd >/dev/null
	redis-cli -p $PORT lrange l 0 20
	redis-cli -p $PORT zrange z 0 20 withscores
	redis-cli -p $PORT bgsave
	sleep 1
	redis-cli -p $PORT config set maxmemory 1mb
	redis-cli -p $PORT get k2
	redis-cli -p $PORT debug digest 2>&1 | head -c 0
	redis-cli -p $PORT shutdown nosave || true
	wait $!
}

p_memcached()
{
	"${W[@]}" memcached -u nobody -l 127.0.0.1 -p $PORT -t 2 -m 32 2>&1 &
	local pid=$!

	wait_port $PORT
	{
		for i in $(seq 2000); do
			printf 'set k%d 0 0 %d\r\n%s\r\n' "$i" $((i % 100 + 1)) \
				"$(head -c $((i % 100 + 1)) /dev/zero | tr '\0' v)"
		done
		for i in $(seq 1 50 2000); do printf 'get k%d\r\n' "$i"; done
		printf 'quit\r\n'
	} >"$WORK/mc.in"
	exec 3<>"/dev/tcp/127.0.0.1/$PORT"
	cat "$WORK/mc.in" >&3 & cat <&3 | md5sum
	exec 3>&-
	kill $pid
	wait $pid || true
}

p_nginx()
{
	local d=$WORK/nginx

	rm -rf "$d" && mkdir -p "$d/html" "$d/tmp"
	seq 3000 >"$d/html/numbers.txt"
	cat >"$d/nginx.conf" <<-END
		daemon off; worker_processes 2; pid $d/pid; error_log $d/error.log;
		user root;
		events { worker_connections 200; }
		http { access_log off; client_body_temp_path $d/tmp; proxy_temp_path $d/tmp;
		fastcgi_temp_path $d/tmp; uwsgi_temp_path $d/tmp; scgi_temp_path $d/tmp;
		gzip on; gzip_types text/plain; gzip_min_length 1;
		server { listen 127.0.0.1:$PORT; root $d/html; } }
	END
	"${W[@]}" nginx -p "$d" -c "$d/nginx.conf" 2>&1 &
	local pid=$!

	wait_port $PORT
	curl -s "http://127.0.0.1:$PORT/numbers.txt" | md5sum
	curl -s --compressed "http://127.0.0.1:$PORT/numbers.txt" | md5sum
	curl -s -o /dev/null -w '%{http_code}\n' "http://127.0.0.1:$PORT/none"
	wrk -t1 -c10 -d2 "http://127.0.0.1:$PORT/numbers.txt" | grep -c 'Non-2xx\|Socket errors' || true
	kill -HUP $pid
	sleep 0.5
	curl -s "http://127.0.0.1:$PORT/numbers.txt" | md5sum
	kill -QUIT $pid
	wait $pid || true
	grep -c alert "$d/error.log" || true
}

p_postgres()
{
	local bin d=$WORK/pg

	bin=$(echo /usr/lib/postgresql/*/bin)
	rm -rf "$d" && mkdir "$d" && chown nobody "$d"
	chmod 777 "$WORK"
	setpriv --reuid=nobody --clear-groups "$bin/initdb" -A trust -U postgres "$d" >/dev/null 2>&1
	setpriv --reuid=nobody --clear-groups "${W[@]}" "$bin/postgres" -D "$d" -p $PORT -k "$WORK" \
		-c listen_addresses=127.0.0.1 >"$WORK/pg.log" 2>&1 &
	local pid=$! q="psql -h 127.0.0.1 -p $PORT -U postgres -qAt"

	wait_port $PORT
	$q -c "create table t as select x as a, md5(x::text) as b from generate_series(1, 50000) x;
		create index on t(b); select count(*), min(b), max(b) from t where b > 'a';
		select substr(b, 1, 1), count(*) from t group by 1 order by 1;"
	pgbench -h 127.0.0.1 -p $PORT -U postgres -i -q -s 1 postgres >/dev/null 2>&1
	pgbench -h 127.0.0.1 -p $PORT -U postgres -c 2 -j 1 -t 300 postgres 2>/dev/null |
		grep 'transactions actually'
	$q -c "select count(*) from pgbench_history"
	kill -INT $pid
	wait $pid || true
	grep -c 'terminated by signal' "$WORK/pg.log" || true
}

PROGRAMS=(bash bash_suite python python_suite perl git sqlite gcc vim redis memcached nginx postgres)

# Runs a function, for LIMIT seconds at most, in a process group that ends with it.
limit()
{
	local p w ret

	set -m
	"$@" &
	p=$!
	(sleep "${LIMIT:-150}"; kill -KILL -- "-$p") >/dev/null 2>&1 &
	w=$!
	set +m
	wait "$p"
	ret=$?
	kill -- "-$w" 2>/dev/null
	return $ret
}

compare()
{
	local name=$1 files bad=0 f

	W=(env)
	(cd "$WORK" && limit "p_$name") >"$WORK/plain" 2>"$WORK/plain.err" </dev/null
	echo "exit $?" >>"$WORK/plain"
	mkdir -p "$WORK/runs" && chmod 777 "$WORK/runs"
	W=(env "LD_PRELOAD=$LIB" "PLUMB_RUN_FILE=$WORK/runs/r")
	(cd "$WORK" && limit "p_$name") >"$WORK/watched" 2>"$WORK/watched.err" </dev/null
	echo "exit $?" >>"$WORK/watched"
	W=()
	files=$(ls "$WORK/runs" | wc -l)
	for f in "$WORK"/runs/*; do
		"$READRUN" "$f" >/dev/null || bad=$((bad + 1))
	done
	rm -rf "$WORK/runs"
	if cmp -s "$WORK/plain" "$WORK/watched" && [ "$bad" -eq 0 ] && [ "$files" -gt 0 ]; then
		printf '%-14s same      %6d lines %5d run files\n' "$name" "$(wc -l <"$WORK/plain")" "$files"
		return 0
	fi
	printf '%-14s DIFFERENT %6d lines %5d run files, %d unreadable\n' "$name" \
		"$(wc -l <"$WORK/plain")" "$files" "$bad"
	diff "$WORK/plain" "$WORK/watched" | head -10 | sed 's/^/    /'
	tail -3 "$WORK/watched.err" | sed 's/^/    stderr: /'
	return 1
}

need_packages redis-server nginx-light wrk memcached postgresql sqlite3 vim curl
make -s -C "$TOP" build/libplumb.so build/tests/runtime/readrun
status=0
set +e
: >"$TEXT"
for p in "${@:-${PROGRAMS[@]}}"; do
	compare "$p" | tee -a "$TEXT"
	[ "${PIPESTATUS[0]}" -eq 0 ] || status=1
done
exit $status
