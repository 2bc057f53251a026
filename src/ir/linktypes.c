/*
 * linktypes.c - one set of types for the types of many units.
 *
 * Every unit has its own copy of the types of the headers it includes; linked,
 * they must be one, or the analyses see a hundred kinds of `struct node`.
 *
 * A struct or union with a tag is looked up by tag and layout: the names,
 * offsets and types of its members, where a member's type is followed through
 * pointers, arrays, typedefs and nested structs without tag, but not beyond a tag.
 * So recursive types need no fixpoint.  Where this errs: two structs of the
 * same tag and layout that point to different structs of one tag become one.
 * Structs that differ in layout stay apart, whatever their tags.
 *
 * All other types are looked up by content after their parts have been mapped.
 * A struct that a unit only declares becomes the definition of its tag.  If units
 * define different structs of that tag, nothing tells which is meant: a pointer to
 * it is then one to anything.
 *
 * Types come from files and may be deep, or cyclic in ways that C does not allow: the
 * walks have a stack of their own, and a cycle without a tag in it is copied as it is.
 */
#include "ir/link.h"

#include "ir/priv.h"

struct tagkey {
	const char *name;	/* interned in the output */
	uint8_t kind;
};

#define MAP_NAME tagmap
#define MAP_KEY struct tagkey
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_join((uintptr_t)(k).name, (k).kind)
#define MAP_EQ(a, b) ((a).name == (b).name && (a).kind == (b).kind)
#include "base/map.h"

#define MAP_NAME layoutmap
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct typelink {
	struct ir_module *out;
	struct layoutmap layouts;	/* hash of tag and layout -> type of the output */
	struct tagmap defs;		/* tag -> the definition, IR_NONE if there are several */
	struct tagmap decls;		/* tag -> the declaration */
	struct ir_typemap plain;	/* structs without tag, by content */
};

struct typelink *typelink_new(struct ir_module *out)
{
	struct typelink *l = xcalloc(1, sizeof(*l));

	l->out = out;
	return l;
}

void typelink_free(struct typelink *l)
{
	if (!l)
		return;
	layoutmap_release(&l->layouts);
	tagmap_release(&l->defs);
	tagmap_release(&l->decls);
	ir_typemap_release(&l->plain);
	free(l);
}

static bool is_struct(const struct ir_type *t)
{
	return t->kind == IR_T_STRUCT || t->kind == IR_T_UNION;
}

static bool has_tag(const struct ir_type *t)
{
	return is_struct(t) && *t->name;
}

static uint32_t parts(const struct ir_type *t)
{
	return t->nfields + 1;
}

static uint32_t part(const struct ir_type *t, uint32_t k)
{
	assert(k < parts(t));
	return k ? t->fields[k - 1].type : t->elem;
}

/* ---- hashes ---------------------------------------------------------- */

static uint64_t tag_hash(const struct ir_type *t)
{
	return hash_join(hash_str(t->name), t->kind);
}

/* The hash of a type as seen from one that has it as a part. */
static uint64_t part_hash(const struct ir_module *m, const uint64_t *hash, uint32_t type)
{
	const struct ir_type *t = &m->types.v[type];

	return has_tag(t) ? tag_hash(t) : hash[type];
}

static uint64_t content_hash(const struct ir_module *m, const uint64_t *hash, const struct ir_type *t)
{
	uint64_t h = hash_join(tag_hash(t), (uint64_t)t->flags);

	h = hash_join(h, t->size);
	h = hash_join(hash_join(h, t->count), (uint64_t)t->first);
	h = hash_join(h, part_hash(m, hash, t->elem));
	for (uint32_t i = 0; i < t->nfields; i++) {
		const struct ir_field *f = &t->fields[i];

		h = hash_join(h, hash_str(f->name));
		h = hash_join(h, f->offset);
		h = hash_join(h, (uint64_t)f->bit_offset << 16 | f->bit_size);
		h = hash_join(h, part_hash(m, hash, f->type));
	}
	return h;
}

/* One step of a walk in depth over the types: what is open, which part is next. */
struct step {
	uint32_t type, next;
};

enum { NEW, OPEN, DONE };

/* The hash of every type's content; parts first.  In a cycle without a tag, the
 * type where the walk came round counts as 0. */
static uint64_t *hash_types(const struct ir_module *m)
{
	uint64_t *hash = xcalloc(m->types.n, sizeof(*hash));
	uint8_t *state = xcalloc(m->types.n, 1);
	struct step *stack = xmalloc(m->types.n * sizeof(*stack));

	for (uint32_t i = 0; i < m->types.n; i++) {
		uint32_t top = 0;

		if (state[i] != NEW)
			continue;
		state[i] = OPEN;
		stack[top++] = (struct step){ i, 0 };
		while (top) {
			struct step *s = &stack[top - 1];
			const struct ir_type *t = &m->types.v[s->type];
			uint32_t p;

			if (s->next == parts(t)) {
				hash[s->type] = content_hash(m, hash, t);
				state[s->type] = DONE;
				top--;
				continue;
			}
			p = part(t, s->next++);
			if (state[p] == NEW && !has_tag(&m->types.v[p])) {
				state[p] = OPEN;
				stack[top++] = (struct step){ p, 0 };
			}
		}
	}
	free(state);
	free(stack);
	return hash;
}

/* ---- structs with a tag ---------------------------------------------- */

/* The same but for the types of the members, which the hash has compared.  The
 * strings of b are the output's. */
static bool same_layout(const struct ir_type *a, const struct ir_type *b)
{
	if (a->kind != b->kind || a->flags != b->flags || a->size != b->size || a->nfields != b->nfields)
		return false;
	for (uint32_t i = 0; i < a->nfields; i++) {
		const struct ir_field *x = &a->fields[i], *y = &b->fields[i];

		if (x->offset != y->offset || x->bit_offset != y->bit_offset || x->bit_size != y->bit_size ||
		    !str_eq(x->name, y->name))
			return false;
	}
	return true;
}

/* Gives every defined tag of m its type in the output.  Members of a new one
 * still have m's types; map[type] is then in *fresh. */
static void map_tags(struct typelink *l, const struct ir_module *m, const uint64_t *hash, uint32_t *map,
		     struct typelist *fresh)
{
	for (uint32_t i = 1; i < m->types.n; i++) {
		const struct ir_type *t = &m->types.v[i];
		uint32_t *at, id;
		struct tagkey tag;
		bool is_new;

		if (!has_tag(t) || t->flags & IR_TF_DECL)
			continue;
		at = layoutmap_put(&l->layouts, hash[i], &is_new);
		if (!is_new && same_layout(t, &l->out->types.v[*at])) {
			map[i] = *at;
			continue;
		}
		id = ir_type_reserve(l->out);
		if (is_new)
			*at = id;
		ir_type_set(l->out, id, t);
		map[i] = id;
		vec_push(fresh, id);
		tag = (struct tagkey){ l->out->types.v[id].name, t->kind };
		at = tagmap_put(&l->defs, tag, &is_new);
		*at = is_new ? id : IR_NONE;
	}
}

/* A declared struct: the one definition of its tag, or a declaration if there is none. */
static void map_decls(struct typelink *l, const struct ir_module *m, uint32_t *map)
{
	for (uint32_t i = 1; i < m->types.n; i++) {
		const struct ir_type *t = &m->types.v[i];
		struct tagkey tag;
		uint32_t *at;
		bool is_new;

		if (!has_tag(t) || !(t->flags & IR_TF_DECL))
			continue;
		tag = (struct tagkey){ ir_intern(l->out, t->name), t->kind };
		at = tagmap_get(&l->defs, tag);
		if (at) {
			map[i] = *at == IR_NONE ? 0 : *at;
			continue;
		}
		at = tagmap_put(&l->decls, tag, &is_new);
		if (is_new) {
			*at = ir_type_reserve(l->out);
			ir_type_set(l->out, *at, t);
		}
		map[i] = *at;
	}
}

/* ---- all others ------------------------------------------------------ */

/* t with the types of the output; its fields are copied. */
static struct ir_type translate(struct ir_module *out, const struct ir_type *t, const uint32_t *map)
{
	struct ir_type copy = ir__own_type(out, t);

	assert(map[t->elem] != IR_NONE);	/* parts first */
	copy.elem = map[t->elem];
	for (uint32_t i = 0; i < copy.nfields; i++)
		copy.fields[i].type = map[copy.fields[i].type];
	return copy;
}

/* The output's type of this content, all parts of which are mapped. */
static uint32_t intern(struct typelink *l, const struct ir_type *t, const uint32_t *map)
{
	struct ir_type copy = translate(l->out, t, map);
	uint32_t *at;
	bool is_new;

	if (!is_struct(t))
		return ir_type_add(l->out, &copy);
	at = ir_typemap_get(&l->plain, &copy);
	if (at)
		return *at;
	at = ir_typemap_put(&l->plain, arena_copy(&l->out->arena, &copy, sizeof(copy)), &is_new);
	*at = ir_type_reserve(l->out);
	l->out->types.v[*at] = copy;
	return *at;
}

static void map_rest(struct typelink *l, const struct ir_module *m, uint32_t *map)
{
	uint8_t *state = xcalloc(m->types.n, 1);
	struct step *stack = xmalloc(m->types.n * sizeof(*stack));

	for (uint32_t i = 1; i < m->types.n; i++) {
		uint32_t top = 0;

		if (map[i] != IR_NONE)
			continue;
		state[i] = OPEN;
		stack[top++] = (struct step){ i, 0 };
		while (top) {
			struct step *s = &stack[top - 1];
			const struct ir_type *t = &m->types.v[s->type];
			uint32_t p;

			if (s->next == parts(t)) {
				if (map[s->type] == IR_NONE) {
					map[s->type] = intern(l, t, map);
				} else {	/* a cycle came round and has its number */
					struct ir_type copy = translate(l->out, t, map);

					l->out->types.v[map[s->type]] = copy;
				}
				state[s->type] = DONE;
				top--;
				continue;
			}
			p = part(t, s->next++);
			if (map[p] != IR_NONE)
				continue;
			if (state[p] == OPEN) {
				map[p] = ir_type_reserve(l->out);
			} else {
				state[p] = OPEN;
				stack[top++] = (struct step){ p, 0 };
			}
		}
	}
	free(state);
	free(stack);
}

/* ---- the whole ------------------------------------------------------- */

uint32_t **typelink_all(struct typelink *l, struct ir_module *const *in, unsigned n)
{
	uint32_t **maps = xcalloc(n, sizeof(*maps));
	struct typelist *fresh = xcalloc(n, sizeof(*fresh));

	for (unsigned i = 0; i < n; i++) {
		uint64_t *hash = hash_types(in[i]);

		maps[i] = xmalloc(in[i]->types.n * sizeof(**maps));
		memset(maps[i], 0xff, in[i]->types.n * sizeof(**maps));
		maps[i][0] = 0;
		map_tags(l, in[i], hash, maps[i], &fresh[i]);
		free(hash);
	}
	for (unsigned i = 0; i < n; i++)
		map_decls(l, in[i], maps[i]);
	for (unsigned i = 0; i < n; i++)
		map_rest(l, in[i], maps[i]);
	/* Now all types are mapped: those of the members in what map_tags() made. */
	for (unsigned i = 0; i < n; i++) {
		for (uint32_t k = 0; k < fresh[i].n; k++) {
			struct ir_type *t = &l->out->types.v[fresh[i].v[k]];

			assert(has_tag(t) && !(t->flags & IR_TF_DECL));
			for (uint32_t j = 0; j < t->nfields; j++)
				t->fields[j].type = maps[i][t->fields[j].type];
		}
		vec_release(&fresh[i]);
	}
	free(fresh);
	/* A declared struct inside another may have become its container. */
	ir__type_cycle(l->out, true);
	return maps;
}
