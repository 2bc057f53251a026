# libplumb-run.so: the allocator's own data between threads, under ThreadSanitizer.
. "$ROOT/tests/lib.sh"

if ! ${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -g -O1 -fsanitize=thread -I"$ROOT/runtime" -o races \
	-x c "$ROOT/tests/runtime/races.inc" "$ROOT/runtime/cyclic_buffer.c" "$ROOT/runtime/cyclic_watch.c" \
	-lpthread 2>build.log; then
	skip "races" "no ThreadSanitizer here: $(head -n 1 build.log)"
	exit 0
fi
# Its shadow has no place for all that addresses can be randomised to.
run_any setarch "$(uname -m)" -R ./races 300
case $err in
*"unexpected memory mapping"*)
	skip "races" "ThreadSanitizer does not run on this kernel" ;;
*)
	expect_status "no race, no damage" 0
	expect_out "all of it was used" "0 bytes damaged, went round" ;;
esac
