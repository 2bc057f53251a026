/*
 * cyclic_plan.c - which allocations go into cyclic buffers.
 *
 * The plan's sites are sorted by their frames.  A walk up the stack narrows the
 * range of sites that can still be meant: from (range, return address) to the
 * range whose next frame is that address.  Such steps are kept in a hash table, so
 * that recognising a site of four frames costs four lookups, and an allocation at no
 * site of the plan mostly one, and no walk.  Before that, each thread remembers its
 * last walks: if the return address and the stack pointer are those of a walk and
 * every word of the stack that it read is as it was, the result is the same.
 *
 * The outermost frame of a stack is no part of a site: it is _start or what begins a
 * thread, which differs between training and running.
 *
 * The table is read without a lock.  An entry is written once, its key last; only when
 * code is unloaded keys are cleared, so that who reads an entry looks at its key once
 * more afterwards.  If the table is full, further contexts are not recognised and served by
 * the heap.
 *
 * Addresses become (module, offset) here, by the build-id in the loaded image, or
 * by a hash of its code where there is none (src/run/identity.h has the rule), or
 * by path if the plan says so (plumb run --force).
 */
#include "cyclic.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct cyclic_header *cyclic_plan;
struct cyclic_site *cyclic_sites;

static struct cyclic_module *modules;
static struct cyclic_entry *entries;
static const char *text;
static size_t text_size;

/*
 * The file
 */

static bool plan_is_sound(const struct cyclic_header *h, size_t size)
{
	uint64_t need = sizeof(*h);

	if (size < sizeof(*h) || memcmp(h->magic, CYCLIC_MAGIC, sizeof(h->magic)) != 0 ||
	    h->version != CYCLIC_VERSION || h->depth == 0 || h->depth > CYCLIC_FRAMES ||
	    h->nsites >= 1u << 24 || h->nmodules >= 1u << 24)
		return false;
	need += (uint64_t)h->nmodules * sizeof(struct cyclic_module);
	need += (uint64_t)h->nsites * sizeof(struct cyclic_entry);
	return need <= h->text && h->text < size && ((const char *)h)[size - 1] == 0;
}

/* A plan that is not used is left to the caller. */
static bool use_plan(struct cyclic_header *h, size_t size)
{
	size_t own = h->nsites * sizeof(*cyclic_sites) + 1;
	struct cyclic_site *sites;

	modules = (struct cyclic_module *)(h + 1);
	entries = (struct cyclic_entry *)(modules + h->nmodules);
	text = (const char *)h + h->text;
	text_size = size - h->text;
	sites = cyclic_own_memory(own);
	if (sites == NULL)
		return false;
	for (uint32_t i = 0; i < h->nsites; i++) {
		if (entries[i].nframes == 0 || entries[i].nframes > h->depth || entries[i].m == 0) {
			munmap(sites, own);
			return false;
		}
		sites[i].entry = &entries[i];
		sites[i].m = entries[i].m;
		sites[i].raise_by = 1;
		sites[i].idle_next = 256;
	}
	cyclic_sites = sites;
	cyclic_plan = h;
	atomic_fetch_add(&h->processes, 1);
	return true;
}

void cyclic_plan_open(void)
{
	const char *name = secure_getenv(CYCLIC_ENV);
	struct stat st;
	void *p;
	int fd;

	if (name == NULL || *name == 0 || (fd = open(name, O_RDWR | O_CLOEXEC)) < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_size > 0) {
		p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (p != MAP_FAILED && !(plan_is_sound(p, (size_t)st.st_size) && use_plan(p, (size_t)st.st_size)))
			munmap(p, (size_t)st.st_size);
	}
	close(fd);
}

/*
 * Modules
 */

#define MAX_LOADED 512

/* A loaded module, and which of the plan's it is. */
static struct loaded {
	uintptr_t start, end, bias;
	int32_t number;			/* -1: none of the plan's */
} loaded[MAX_LOADED];
static unsigned nloaded;

static bool id_is(const struct cyclic_module *m, const void *id, size_t n)
{
	return m->id_len == n && n > 0 && n <= sizeof(m->id) && memcmp(m->id, id, n) == 0;
}

static int32_t number_of_id(const void *id, size_t n)
{
	for (uint32_t i = 0; i < cyclic_plan->nmodules; i++)
		if (id_is(&modules[i], id, n))
			return (int32_t)i;
	return -1;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* By the last part of the path: folders are often reached through links. */
static int32_t number_of_path(const struct link_map *map)
{
	char exe[4096];
	const char *path = map->l_name;

	if (path == NULL || *path == 0) {
		ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

		exe[n > 0 ? n : 0] = 0;
		path = exe;
	}
	for (uint32_t i = 0; i < cyclic_plan->nmodules; i++)
		if (modules[i].path < text_size &&
		    strcmp(base_name(text + modules[i].path), base_name(path)) == 0)
			return (int32_t)i;
	return -1;
}

/* The build-id among n bytes of notes, or NULL. */
static const uint8_t *find_id(const char *p, size_t n, size_t *len)
{
	while (n >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *h = (const ElfW(Nhdr) *)(const void *)p;
		size_t name = ((size_t)h->n_namesz + 3) & ~(size_t)3;
		size_t all = sizeof(*h) + name + (((size_t)h->n_descsz + 3) & ~(size_t)3);

		if (all > n)
			break;
		if (h->n_type == NT_GNU_BUILD_ID && h->n_namesz == 4 &&
		    memcmp(p + sizeof(*h), "GNU", 4) == 0) {
			*len = h->n_descsz;
			return (const uint8_t *)p + sizeof(*h) + name;
		}
		p += all;
		n -= all;
	}
	return NULL;
}

/* An id from the code, for modules that have none. */
static int32_t number_of_text(const char *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	uint8_t id[12] = "text";

	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)p[i]) * UINT64_C(0x100000001b3);
	for (unsigned i = 0; i < 8; i++)
		id[4 + i] = (uint8_t)(h >> (8 * i));
	return number_of_id(id, sizeof(id));
}

/* The module by what is in it. */
static int32_t number_of_content(const struct dl_find_object *o)
{
	const ElfW(Ehdr) *e = o->dlfo_map_start;
	const ElfW(Phdr) *ph;
	uintptr_t bias = o->dlfo_link_map->l_addr;
	const uint8_t *id;
	size_t n = 0;

	if (memcmp(e->e_ident, ELFMAG, SELFMAG) != 0)
		return -1;
	ph = (const ElfW(Phdr) *)((const char *)e + e->e_phoff);
	for (unsigned i = 0; i < e->e_phnum; i++)
		if (ph[i].p_type == PT_NOTE &&
		    (id = find_id((const char *)bias + ph[i].p_vaddr, ph[i].p_memsz, &n)) != NULL)
			return number_of_id(id, n);
	for (unsigned i = 0; i < e->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && (ph[i].p_flags & PF_X))
			return number_of_text((const char *)bias + ph[i].p_vaddr, ph[i].p_filesz);
	return -1;
}

static int32_t number_of(const struct dl_find_object *o)
{
	int32_t n = number_of_content(o);

	return n < 0 && (cyclic_plan->flags & CYCLIC_BY_PATH) ? number_of_path(o->dlfo_link_map) : n;
}

/* The module of an address, or NULL.  Under cyclic_lock. */
static const struct loaded *find_loaded(uintptr_t pc)
{
	struct dl_find_object o;
	struct loaded *l;

	for (unsigned i = 0; i < nloaded; i++)
		if (pc - loaded[i].start < loaded[i].end - loaded[i].start)
			return &loaded[i];
	if (nloaded == MAX_LOADED || _dl_find_object((void *)pc, &o) != 0)
		return NULL;
	l = &loaded[nloaded];
	l->start = (uintptr_t)o.dlfo_map_start;
	l->end = (uintptr_t)o.dlfo_map_end;
	l->bias = o.dlfo_link_map->l_addr;
	l->number = number_of(&o);
	nloaded++;
	return l;
}

/*
 * Steps
 */

/* A set of sites that can be meant after some frames: entries lo .. hi - 1.  One word,
 * with what is known about it in the upper bits. */
typedef uint64_t range;

#define RANGE_NONE (UINT64_C(1) << 63)	/* empty */
#define RANGE_SITE (UINT64_C(1) << 62)	/* enough frames have been seen: lo it is */

static inline uint32_t range_lo(range r)
{
	return r & 0xffffff;
}

static inline uint32_t range_hi(range r)
{
	return r >> 24 & 0xffffff;
}

static inline unsigned range_depth(range r)
{
	return r >> 48 & 0xff;
}

/* Are all of these sites such that nothing in use is overlaid?  Then it does no harm
 * to take one for the other, or a context that was never trained for one of them. */
static bool all_keep(uint32_t lo, uint32_t hi)
{
	while (lo < hi && cyclic_sites[lo].keep)
		lo++;
	return lo == hi;
}

static range make_range(uint32_t lo, uint32_t hi, unsigned depth)
{
	range r = lo | (range)hi << 24 | (range)depth << 48;

	if (lo >= hi)
		return r | RANGE_NONE;
	return depth == cyclic_plan->depth || (depth > 0 && all_keep(lo, hi)) ? r | RANGE_SITE : r;
}

struct step {
	_Atomic uintptr_t pc;		/* 0: free */
	_Atomic range from, to;
};

#define STEPS 32768
#define PROBES 32
static struct step *steps;

static inline size_t step_hash(range r, uintptr_t pc)
{
	return (size_t)((pc ^ r * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9e3779b97f4a7c15) >> 49);
}

/* Compares frame d of an entry with (module, offset). */
static int frame_order(const struct cyclic_entry *e, unsigned d, uint32_t module, uint64_t offset)
{
	if (e->nframes <= d)
		return -1;
	if (e->frames[d].module != module)
		return e->frames[d].module < module ? -1 : 1;
	return e->frames[d].offset < offset ? -1 : e->frames[d].offset > offset;
}

/* The sites of r whose next frame is pc. */
static range narrow(range r, uintptr_t pc)
{
	const struct loaded *l = find_loaded(pc - 1);
	uint32_t lo = range_lo(r), hi = range_hi(r), from;
	unsigned d = range_depth(r);

	if (l == NULL || l->number < 0)
		return make_range(lo, lo, d + 1);
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (frame_order(&entries[mid], d, (uint32_t)l->number, pc - l->bias) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	from = lo;
	while (lo < range_hi(r) &&
	       frame_order(&entries[lo], d, (uint32_t)l->number, pc - l->bias) == 0)
		lo++;
	return make_range(from, lo, d + 1);
}

/* Is the step known?  Then *to is where it leads. */
static bool look_up(range r, uintptr_t pc, range *to)
{
	size_t at = step_hash(r, pc);

	for (unsigned i = 0; i < PROBES; i++) {
		struct step *s = &steps[(at + i) & (STEPS - 1)];
		uintptr_t key = atomic_load_explicit(&s->pc, memory_order_acquire);

		if (key == 0)
			return false;
		if (key != pc || atomic_load_explicit(&s->from, memory_order_relaxed) != r)
			continue;
		*to = atomic_load_explicit(&s->to, memory_order_acquire);
		return atomic_load_explicit(&s->pc, memory_order_relaxed) == pc;
	}
	return false;
}

/* Works out a step and keeps it, if there is room. */
static range add_step(range r, uintptr_t pc)
{
	size_t at = step_hash(r, pc);
	range to;

	cyclic_lock();
	if (look_up(r, pc, &to))
		goto done;
	to = RANGE_NONE;
	for (unsigned i = 0; i < PROBES; i++) {
		struct step *s = &steps[(at + i) & (STEPS - 1)];

		if (atomic_load_explicit(&s->pc, memory_order_relaxed) != 0)
			continue;
		to = narrow(r, pc);
		atomic_store_explicit(&s->from, r, memory_order_relaxed);
		atomic_store_explicit(&s->to, to, memory_order_relaxed);
		atomic_store_explicit(&s->pc, pc, memory_order_release);
		break;
	}
done:
	cyclic_unlock();
	return to;
}

/*
 * Walks
 */

/* A walk up the stack, remembered: it read n words of the stack, and if they are as
 * they were then, its result is the same. */
struct walk {
	uintptr_t pc, sp, bp;		/* where it began */
	uint32_t epoch;			/* 0: free */
	uint16_t n;
	bool uses_bp;			/* bp decided, too */
	struct cyclic_site *site;
	uintptr_t value[UNWIND_CHECKS];
	int32_t at[UNWIND_CHECKS];	/* sp + at[i] has value[i]; the first three always */
} __attribute__((aligned(64)));

static __thread struct walk walks[CYCLIC_WALKS];
static __thread struct unwind_stack stack;
__thread struct cyclic_short cyclic_shorts[CYCLIC_WALKS];
_Atomic uint32_t cyclic_epoch = 1;

/* Where the second return address is, if that can be told and is known to be readable;
 * otherwise the first, which tells nothing new.  NULL: not readable. */
static inline const uintptr_t *find_second(const struct cyclic_short *first, const uintptr_t *frame)
{
	uintptr_t from = first->by_bp ? frame[0] : (uintptr_t)(frame + 2);
	uintptr_t at = from + (uintptr_t)(intptr_t)first->next;

	return at >= stack.low && at + sizeof(at) <= stack.high ?
		       (const uintptr_t *)at : NULL;
}

/* Where walks from pc and sp through `second` are remembered: there, or beside it. */
static inline struct walk *walk_of(uintptr_t pc, uintptr_t sp, uintptr_t second)
{
	return &walks[(pc ^ sp >> 3 ^ second << 7) * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

static inline struct walk *walk_beside(struct walk *w)
{
	return &walks[(w - walks) ^ 1];
}

/* 0 if word i of a walk is as it was. */
static inline uintptr_t is_changed(const struct walk *w, unsigned i)
{
	return *(uintptr_t *)(w->sp + (uintptr_t)(intptr_t)w->at[i]) ^ w->value[i];
}

/* Is w a walk from here that would go the same way again? */
static inline bool holds(const struct walk *w, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
	if (w->pc != pc || w->sp != sp || (w->uses_bp && w->bp != bp) ||
	    w->epoch != atomic_load_explicit(&cyclic_epoch, memory_order_relaxed))
		return false;
	if ((is_changed(w, 0) | is_changed(w, 1) | is_changed(w, 2)) != 0)
		return false;
	for (unsigned i = 3; i < w->n; i++)
		if (is_changed(w, i) != 0)
			return false;
	return true;
}

/* One step, known or not.  RANGE_NONE also if there is no room to keep it. */
static inline range next_range(range r, uintptr_t pc)
{
	range to;

	return likely(look_up(r, pc, &to)) ? to : add_step(r, pc);
}

/* The site that n return addresses lead to from r, which is what the first of them
 * has left.  The last one is the outermost if there are fewer than depth + 1. */
static struct cyclic_site *match(range r, const uintptr_t *ra, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		bool outermost = i == n - 1 && n <= cyclic_plan->depth;

		if (outermost)	/* a site that ends here comes first in the range */
			break;
		r = next_range(r, ra[i]);
		if (r & RANGE_NONE)
			return NULL;
		if (r & RANGE_SITE)
			return &cyclic_sites[range_lo(r)];
	}
	return entries[range_lo(r)].nframes == range_depth(r) ? &cyclic_sites[range_lo(r)] : NULL;
}

/* Remembers a walk, if the stack words that it depends on are few. */
static void remember(struct walk *w, const struct unwind *u)
{
	if (u->nchecks > UNWIND_CHECKS)
		return;
	w->uses_bp = u->uses_bp;
	w->n = (uint16_t)u->nchecks;
	for (unsigned i = 0; i < UNWIND_CHECKS; i++) {
		/* To fill up: the return address itself, which has been looked at. */
		const uintptr_t *at = i < u->nchecks ? u->checks[i].at : (const uintptr_t *)w->sp - 1;

		w->at[i] = (int32_t)((uintptr_t)at - w->sp);
		w->value[i] = i < u->nchecks ? u->checks[i].value : w->pc;
	}
	w->epoch = cyclic_epoch;
}

/* Notes what the return address pc alone tells: r. */
static void remember_short(struct cyclic_short *first, uintptr_t pc, range r)
{
	intptr_t next;
	bool by_bp;

	first->pc = pc;
	first->decides = (r & (RANGE_NONE | RANGE_SITE)) != 0;
	first->site = r & RANGE_NONE ? NULL : &cyclic_sites[range_lo(r)];
	first->epoch = cyclic_epoch;
	first->next = -(int)sizeof(pc);	/* the first itself */
	first->by_bp = false;
	if (!first->decides && unwind_next(pc, &next, &by_bp) && next == (int16_t)next) {
		first->next = (int16_t)next;
		first->by_bp = by_bp;
	}
}

/* Walks up, and remembers that. */
static __attribute__((noinline)) struct cyclic_site *walk(const uintptr_t *frame)
{
	uintptr_t pc = frame[1], ra[CYCLIC_FRAMES + 1];
	struct cyclic_short *first = cyclic_short_of(pc);
	range r = next_range((range)cyclic_plan->nsites << 24, pc);
	const uintptr_t *second;
	struct walk *w;
	struct unwind u;

	if (first->pc != pc || first->epoch != cyclic_epoch)
		remember_short(first, pc, r);
	if (first->decides)
		return first->site;
	unwind_walk(&u, ra, cyclic_plan->depth + 1, frame, &stack);
	second = find_second(first, frame);
	w = walk_of(pc, (uintptr_t)(frame + 2), second != NULL ? *second : pc);
	*walk_beside(w) = *w;
	w->epoch = 0;
	w->pc = pc;
	w->sp = (uintptr_t)(frame + 2);
	w->bp = frame[0];
	w->site = match(r, ra, u.n);
	remember(w, &u);
	return w->site;
}

struct cyclic_site *cyclic_plan_walk(const uintptr_t *frame)
{
	uintptr_t pc = frame[1], sp = (uintptr_t)(frame + 2), bp = frame[0];
	struct cyclic_short *first = cyclic_short_of(pc);
	const uintptr_t *second;
	struct walk *w;

	if (first->pc != pc ||
	    first->epoch != atomic_load_explicit(&cyclic_epoch, memory_order_relaxed))
		return walk(frame);
	second = find_second(first, frame);
	if (unlikely(second == NULL))
		return walk(frame);
	w = walk_of(pc, sp, *second);
	if (likely(holds(w, pc, sp, bp)))
		return w->site;
	w = walk_beside(w);
	return holds(w, pc, sp, bp) ? w->site : walk(frame);
}

void cyclic_plan_forget(void)
{
	if (cyclic_plan == NULL)
		return;
	cyclic_lock();
	nloaded = 0;
	unwind_forget();
	for (size_t i = 0; i < STEPS; i++)
		atomic_store_explicit(&steps[i].pc, 0, memory_order_release);
	atomic_fetch_add(&cyclic_epoch, 1);
	cyclic_unlock();
}

/* Called before the plan is opened. */
__attribute__((constructor(101))) static void make_table(void)
{
	steps = cyclic_own_memory(STEPS * sizeof(*steps));	/* plumb-ignore: constructors run once */
	if (steps == NULL)
		return;
	cyclic_buffer_init();
	if (cyclic_region_size > 0)
		cyclic_plan_open();
	if (cyclic_plan != NULL)
		cyclic_buffer_start();
}
