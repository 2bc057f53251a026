/*
 * bdd.h - reduced ordered binary decision diagrams, for guards.
 *
 * A manager holds the nodes of one analysis; a bdd is a number in it, and two
 * functions are equal exactly if their numbers are.  Variables are numbers from
 * 0, ordered as they are numbered.
 *
 * A manager has a limit of nodes.  Over it results are wrong and bdd_overflow()
 * tells: the caller must not conclude anything then.
 */
#ifndef VFG_BDD_H
#define VFG_BDD_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t bdd;

#define BDD_FALSE 0u
#define BDD_TRUE 1u

struct bdd_manager;

struct bdd_manager *bdd_manager_new(uint32_t max_nodes);
void bdd_manager_free(struct bdd_manager *m);
void bdd_manager_clear(struct bdd_manager *m);		/* forgets all nodes; cheap */
bool bdd_overflow(const struct bdd_manager *m);
uint32_t bdd_nodes(const struct bdd_manager *m);

bdd bdd_var(struct bdd_manager *m, uint32_t var);
bdd bdd_not(struct bdd_manager *m, bdd f);
bdd bdd_and(struct bdd_manager *m, bdd f, bdd g);
bdd bdd_or(struct bdd_manager *m, bdd f, bdd g);
bdd bdd_ite(struct bdd_manager *m, bdd c, bdd f, bdd g);
/* f with the variable chosen so that f holds, if either choice does. */
bdd bdd_exists(struct bdd_manager *m, bdd f, uint32_t var);
/* f with the variable fixed. */
bdd bdd_restrict(struct bdd_manager *m, bdd f, uint32_t var, bool value);

/* The top variable and the two branches of a function that is no constant. */
void bdd_top(const struct bdd_manager *m, bdd f, uint32_t *var, bdd *low, bdd *high);

#endif
