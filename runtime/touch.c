/*
 * touch.c - who touched stale memory last?
 *
 * Hound learns it from its fault handler.  We have none (prim.c), but the kernel's own
 * faults can be sampled: a perf event of the software kind counts minor faults of this
 * thread and keeps address, registers and the top of the stack of each in a ring, which
 * is looked at in the next tick.  No signal, no privilege beyond what perf_event_paranoid
 * asks for (2, the usual; 3 forbids it), and the descriptor can be closed once the ring is
 * mapped.
 *
 * It makes switches between processes dearer (5 % for nginx), so it is on for one tick
 * in EACH only: what is kept is the last touch that was seen, not the last one of all.
 * And only while the process has one thread, as opening takes a descriptor's number for a
 * moment.  Touches by the kernel on the program's behalf are not seen.
 */
#include "touch.h"

#include "age.h"
#include "heap.h"
#include "site.h"
#include "unwind.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EACH 16			/* ticks */
#define RING (4 * PAGE)		/* a power of two */
#define STACK 512		/* bytes of it that are kept */

#ifdef __x86_64__
enum { REG_BP = 6, REG_SP = 7 };	/* as perf counts registers */
#endif

struct sample {
	struct perf_event_header header;
	uint64_t ip, addr;
	uint64_t abi, bp, sp;	/* abi 0: no registers, and bp is the next field */
	uint64_t nstack;
	unsigned char stack[STACK];
	uint64_t nstack_used;
};

static char *ring;	/* a page of positions, then the data; NULL: not now */
static bool refused;

static void ring_drop(void)
{
	if (ring != NULL)
		munmap(ring, PAGE + RING);
	ring = NULL;
}

static void ring_open(void)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(a),
		.config = PERF_COUNT_SW_PAGE_FAULTS_MIN,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sample_regs_user = 1u << REG_BP | 1u << REG_SP,
		.sample_stack_user = STACK,
	};
	int fd = (int)os_syscall(SYS_perf_event_open, (long)&a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
	void *p = MAP_FAILED;

	if (fd >= 0) {
		p = mmap(NULL, PAGE + RING, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		os_close(fd);
	}
	refused = p == MAP_FAILED;
	ring = refused ? NULL : p;
}

/* n bytes of the ring from a position on. */
static void ring_read(void *to, uint64_t at, size_t n)
{
	size_t from = at % RING, first = RING - from < n ? RING - from : n;

	memcpy(to, ring + PAGE + from, first);
	memcpy((char *)to + first, ring + PAGE, n - first);
}

/* The site of the object at an address, if its page was stale; 0 otherwise. */
static uint32_t stale_site(uintptr_t a)
{
	struct span *s;
	uint32_t site = 0;

	if (pages_next(a, a + 1) > a)
		return 0;
	lock_take(&age_lock);
	lock_take(&pages_lock);
	s = pages_around(a);
	if (s == NULL || s->age != AGE_INACTIVE || s->kind == SPAN_KEPT)
		site = 0;
	else if (s->kind == SPAN_LARGE)
		site = run_bins[s->large_bin].site;
	else if (s->bin != NULL)
		site = s->bin->count->site;
	else if (s->slot_bin != NULL && (a - s->base) / s->size < s->nslots)
		site = run_bins[s->slot_bin[(a - s->base) / s->size]].site;
	lock_give(&pages_lock);
	lock_give(&age_lock);
	return site;
}

static void note(const struct sample *m, uint64_t now)
{
	uintptr_t pc[RUN_TOUCH_FRAMES];
	uint32_t site = stale_site(m->addr), detail;
	struct run_detail *d;
	unsigned n;

	detail = site != 0 ? counter_get(&run_sites[site].detail) : 0;
	if (detail == 0 || m->abi == 0 || m->nstack != STACK)
		return;
	n = unwind_copy(pc, RUN_TOUCH_FRAMES < site_depth ? RUN_TOUCH_FRAMES : site_depth, m->ip,
			m->sp, m->bp, m->stack, m->nstack_used < STACK ? m->nstack_used : STACK);
	d = &run_details[detail];
	counter_set(&d->ntouch, 0);
	lock_take(&site_lock);
	for (unsigned i = 0; i < n; i++)
		d->touch[i] = site_frame(pc[i]);
	lock_give(&site_lock);
	d->touch_time = run_since_start(now);
	atomic_store_explicit(&d->ntouch, n, memory_order_release);
}

void touch_collect(uint64_t now)
{
	struct perf_event_mmap_page *h = (struct perf_event_mmap_page *)ring;
	uint64_t head, at;

	if (ring == NULL)
		return;
	head = __atomic_load_n(&h->data_head, __ATOMIC_ACQUIRE);
	for (at = h->data_tail; head - at >= sizeof(struct perf_event_header) && head - at <= RING;) {
		struct sample m = { 0 };

		ring_read(&m.header, at, sizeof(m.header));
		if (m.header.size < sizeof(m.header))
			break;
		if (m.header.type == PERF_RECORD_SAMPLE && m.header.size == sizeof(m)) {
			ring_read(&m, at, sizeof(m));
			note(&m, now);
		}
		at += m.header.size;
	}
	ring_drop();
}

void touch_begin(uint64_t tick)
{
	int saved = errno;

	if (tick % EACH == 0 && !refused && !os_filtered && __libc_single_threaded)
		ring_open();
	errno = saved;
}

void touch_fork_child(void)
{
	ring = NULL;	/* fork does not copy such mappings */
}
