/*
 * site.c - allocation sites and the modules that their frames lie in.
 *
 * A site is found by the hash of its return addresses in a table that is read
 * without a lock.  When it is half full a larger one takes its place; whoever still
 * reads the old one, which stays, looks again with the lock.  Sites are never freed.  When a library is unloaded, its sites
 * are retired: what is loaded at the same addresses later gets sites of its own.
 *
 * A module is recorded when the first frame in it is seen, with path and build-id,
 * so that frames can be named after dlclose, too.  Modules are found with
 * _dl_find_object(), which takes no lock: a lock of the dynamic linker here would
 * dead-lock with a thread that allocates inside dlopen.
 */
#include "site.h"

#include "unwind.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

struct lock site_lock;
unsigned site_depth = 4;
_Atomic unsigned site_epoch = 1;
void (*site_hook)(struct site *s);

#define FIRST_TABLE 1024

static struct table {
	size_t size;		/* a power of two */
	struct site *_Atomic site[];
} *_Atomic table;
static struct site other;	/* when there is no room */
static uint32_t nsites;

/*
 * Modules
 */

extern int _dl_find_object(void *, struct dl_find_object *) __attribute__((weak));

/* The notes of a module's program headers, for its build-id. */
static void read_build_id(struct run_module *m, const char *map, const char *map_end)
{
	const ElfW(Ehdr) *e = (const void *)map;
	const ElfW(Phdr) *ph;

	if (map_end - map < (ptrdiff_t)PAGE || memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 ||
	    e->e_phentsize != sizeof(*ph) ||
	    e->e_phoff + (size_t)e->e_phnum * sizeof(*ph) > PAGE)
		return;
	ph = (const void *)(map + e->e_phoff);
	for (int i = 0; i < e->e_phnum; i++) {
		const char *p, *end;

		if (ph[i].p_type != PT_NOTE)
			continue;
		p = (const char *)(m->bias + ph[i].p_vaddr);
		end = p + ph[i].p_memsz;
		if (p < map || end > map_end || end < p)
			continue;
		while ((size_t)(end - p) >= sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *n = (const void *)p;
			const char *name = p + sizeof(*n);
			const char *desc = name + ((n->n_namesz + 3) & ~3u);

			p = desc + ((n->n_descsz + 3) & ~3u);
			if (p > end || p < desc)
				break;
			if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 &&
			    memcmp(name, "GNU", 4) == 0 && n->n_descsz <= sizeof(m->build_id)) {
				memcpy(m->build_id, desc, n->n_descsz);
				m->build_id_size = n->n_descsz;
				return;
			}
		}
	}
}

static uint64_t module_path(const struct link_map *lm)
{
	static char path[4096];	/* under site_lock */
	ssize_t n;

	if (lm != NULL && lm->l_name != NULL && lm->l_name[0] == '/')
		return run_add_string(lm->l_name);
	if (lm != NULL && lm->l_name != NULL && lm->l_name[0] != 0) {
		size_t k = strlen(lm->l_name);

		/* relative to the folder of now; the program may leave it */
		if (strchr(lm->l_name, '/') != NULL && !os_filtered && getcwd(path, sizeof(path)) != NULL &&
		    strlen(path) + k + 2 < sizeof(path)) {
			strcat(path, "/");
			strcat(path, lm->l_name);
			return run_add_string(path);
		}
		return run_add_string(lm->l_name);
	}
	n = os_filtered ? 0 : readlink("/proc/self/exe", path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = 0;
	return run_add_string(path);
}

/* The record of the module that o describes; RUN_NO_MODULE if there is no room. */
static uint32_t module_find(const struct dl_find_object *o)
{
	struct run_section *s = &run->sections[RUN_MODULES];
	uint64_t start = (uintptr_t)o->dlfo_map_start, n = s->count;
	struct run_module *m;

	for (uint64_t i = n; i-- > 0;)
		if (run_modules[i].start == start && !run_modules[i].unloaded)
			return (uint32_t)i;
	if (n >= s->capacity || n >= RUN_NO_MODULE)
		return RUN_NO_MODULE;
	run_add(RUN_MODULES);
	if (s->count == n)
		return RUN_NO_MODULE;
	m = &run_modules[n];
	m->bias = o->dlfo_link_map ? o->dlfo_link_map->l_addr : 0;
	m->start = start;
	m->end = (uintptr_t)o->dlfo_map_end;
	m->path = module_path(o->dlfo_link_map);
	read_build_id(m, o->dlfo_map_start, o->dlfo_map_end);
	return (uint32_t)n;
}

uint64_t site_frame(uintptr_t ra)
{
	struct dl_find_object o;
	uint32_t m;

	if (_dl_find_object == NULL || _dl_find_object((void *)(ra - 1), &o) != 0 ||
	    (m = module_find(&o)) == RUN_NO_MODULE)
		return run_frame(RUN_NO_MODULE, ra);
	return run_frame(m, ra - run_modules[m].bias);
}

/*
 * Sites
 */

static inline uint64_t hash_context(const uintptr_t *ra, unsigned n)
{
	uint64_t h = n;

	for (unsigned i = 0; i < n; i++)
		h = (h ^ ra[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
	return h;
}

static struct site *lookup(uint64_t hash, const uintptr_t *ra, unsigned n)
{
	struct table *t = atomic_load_explicit(&table, memory_order_acquire);
	struct site *s;

	for (size_t i = hash; t != NULL; i++) {
		s = atomic_load_explicit(&t->site[i & (t->size - 1)], memory_order_acquire);
		if (s == NULL)
			break;
		if (s->hash == hash && s->n == n && !counter_get(&s->retired) &&
		    memcmp(s->ra, ra, n * sizeof(*ra)) == 0)
			return s;
	}
	return NULL;
}

static void enter(struct table *t, struct site *s)
{
	size_t i = s->hash;

	while (counter_get(&t->site[i & (t->size - 1)]) != NULL)
		i++;
	atomic_store_explicit(&t->site[i & (t->size - 1)], s, memory_order_release);
}

/* Room for one more; false: no memory. */
static bool table_make_room(void)
{
	struct table *old = table, *fresh;
	size_t size = old != NULL ? 2 * old->size : FIRST_TABLE;

	if (old != NULL && nsites < old->size / 2)
		return true;
	fresh = meta_alloc(sizeof(*fresh) + size * sizeof(fresh->site[0]));
	if (fresh == NULL)
		return false;
	fresh->size = size;
	for (size_t i = 0; old != NULL && i < old->size; i++)
		if (old->site[i] != NULL)
			enter(fresh, old->site[i]);
	atomic_store_explicit(&table, fresh, memory_order_release);
	return true;
}

static struct site *add_site(uint64_t hash, const uintptr_t *ra, unsigned n)
{
	struct site *s;
	struct run_site *r;
	uint32_t index;

	if (!run_reserve() || !table_make_room())
		return &other;
	s = meta_alloc(sizeof(*s));
	index = s ? run_add(RUN_SITES) : 0;
	if (index == 0)
		return &other;
	s->hash = hash;
	s->index = index;
	s->n = n;
	memcpy(s->ra, ra, n * sizeof(*ra));
	r = &run_sites[index];
	r->id = hash;
	r->first = run_since_start(os_now_coarse());
	for (unsigned i = 0; i < n; i++)
		r->frames[i] = site_frame(ra[i]);
	r->nframes = n;
	if (site_hook)
		site_hook(s);
	nsites++;
	enter(table, s);
	return s;
}

struct site *site_find(const uintptr_t *ra, unsigned n)
{
	uint64_t hash = hash_context(ra, n);
	struct site *s = lookup(hash, ra, n);

	if (likely(s != NULL))
		return s;
	int saved = errno;

	lock_take(&site_lock);
	s = lookup(hash, ra, n);
	if (s == NULL)
		s = add_site(hash, ra, n);
	lock_give(&site_lock);
	errno = saved;
	return s;
}

static bool still_loaded(const struct run_module *m)
{
	struct dl_find_object o;

	return _dl_find_object != NULL && _dl_find_object((void *)m->start, &o) == 0 &&
	       (uintptr_t)o.dlfo_map_start == m->start && (uintptr_t)o.dlfo_map_end == m->end;
}

static bool in_module(const struct site *s, const struct run_module *m)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->ra[i] - 1 >= m->start && s->ra[i] - 1 < m->end)
			return true;
	return false;
}

void site_unloaded(void)
{
	bool any = false;

	lock_take(&site_lock);
	for (uint64_t k = 0; run != NULL && k < run->sections[RUN_MODULES].count; k++) {
		struct run_module *m = &run_modules[k];

		if (m->unloaded || still_loaded(m))
			continue;
		m->unloaded = 1;
		any = true;
		for (size_t i = 0; table != NULL && i < table->size; i++) {
			struct site *s = atomic_load(&table->site[i]);

			if (s != NULL && in_module(s, m))
				atomic_store(&s->retired, true);
		}
	}
	if (any) {
		unwind_forget();
		atomic_fetch_add(&site_epoch, 1);
	}
	lock_give(&site_lock);
}
