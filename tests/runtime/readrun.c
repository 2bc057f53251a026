/*
 * readrun FILE - prints a run file, a line for each value.
 */
#include "runfile.inc"

int main(int argc, char **argv)
{
	const struct run_header *p = run_map(argc > 1 ? argv[1] : NULL);
	struct sums s = run_sums(p);

	printf("version %u\npid %u\nstate %s\n", p->version, p->pid,
	       p->state == RUN_EXITED ? "exited" : "live");
	printf("allocations %lu\nfrees %lu\nresizes %lu\nfailures %lu\n", s.allocations, s.frees,
	       s.resizes, s.failures);
	printf("live_blocks %lu\nlive_bytes %lu\n", s.allocations - s.frees,
	       s.bytes_allocated - s.bytes_freed);
	printf("sites %lu\ncut %d\nmissing_children %lu\nunwatched_programs %lu\n",
	       p->sections[RUN_SITES].count, (p->flags & RUN_CUT) != 0, p->missing_children,
	       p->unwatched_programs);
	return 0;
}
