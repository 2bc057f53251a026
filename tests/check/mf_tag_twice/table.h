/* Who includes this does not see what a table is. */
struct table;

struct table *table_new(unsigned n);
const char *table_put(struct table *t, const char *name);
void table_free(struct table *t);
