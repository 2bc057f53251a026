# libplumb.so: are sites the callers of malloc, however the program was compiled?
# TIMEOUT: 600
. "$ROOT/tests/lib.sh"

lib=$ROOT/build/libplumb.so

context()	# STATUS NAME FLAGS...
{
	want=$1
	name=$2
	shift 2
	cc -x c -std=gnu17 -D_GNU_SOURCE -fno-builtin -w "$@" -I"$ROOT/runtime" -I"$ROOT/tests/runtime" \
		-o prog "$ROOT/tests/runtime/contexts.inc" -ldl
	rm -f run run.*
	run_any env -u PLUMB_RUN_FILE sh -c "LD_PRELOAD=$lib PLUMB_RUN_FILE=run exec ./prog"
	expect_status "$name" "$want"
}

context 0 "not optimised" -O0
context 0 "optimised" -O2
context 0 "without frame pointers" -O2 -fomit-frame-pointer
context 0 "with frame pointers" -O2 -fno-omit-frame-pointer
context 0 "for size, not position-independent" -Os -no-pie
context 0 "stripped" -O2 -s
context 3 "without unwind tables, frame pointers or symbols: fewer frames, none wrong" \
	-O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -s
