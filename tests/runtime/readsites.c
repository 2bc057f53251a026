/*
 * readsites FILE - prints the sites of a run file that have stale bytes, by drag, a
 * line for each: stale bytes, live bytes, objects, largest staleness in ms, frames.
 */
#include "runfile.inc"

static const struct run_header *h;

static int by_drag(const void *a, const void *b)
{
	const struct run_site *x = *(const struct run_site *const *)a;
	const struct run_site *y = *(const struct run_site *const *)b;

	return x->drag < y->drag ? 1 : x->drag > y->drag ? -1 : 0;
}

static void print_frame(uint64_t f)
{
	const struct run_module *m = run_record(h, RUN_MODULES, run_frame_module(f));
	const char *path = "?";

	if (run_frame_module(f) < h->sections[RUN_MODULES].count)
		path = run_record(h, RUN_STRINGS, m->path);
	printf(" %s+%#lx", path, run_frame_offset(f));
}

int main(int argc, char **argv)
{
	uint64_t n;
	const struct run_site **v;

	h = run_map(argc > 1 ? argv[1] : NULL);
	n = h->sections[RUN_SITES].count;
	v = calloc(n, sizeof(*v));
	for (uint64_t i = 0; i < n; i++)
		v[i] = run_record(h, RUN_SITES, i);
	qsort(v, n, sizeof(*v), by_drag);
	printf("ticks %lu now %lu ms active %lu inactive %lu target %lu touches %lu cost %lu us "
	       "primitive %u\n",
	       h->ticks, h->now / 1000000, h->active_pages, h->inactive_pages, h->target_pages,
	       h->touches, h->cost / 1000, h->primitive);
	printf("live %lu heap %lu stale %lu\n", h->live_bytes, h->heap_bytes, h->stale_bytes);
	for (uint64_t i = 0; i < n && v[i]->stale_bytes > 0; i++) {
		printf("%lu %lu %lu %lu", v[i]->stale_bytes, v[i]->bytes, v[i]->objects,
		       v[i]->max_staleness / 1000000);
		for (uint32_t k = 0; k < v[i]->nframes; k++)
			print_frame(v[i]->frames[k]);
		printf("\n");
	}
	return 0;
}
