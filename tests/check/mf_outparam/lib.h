struct item { int n; };

int item_load(struct item **out, const char *key);
void item_free(struct item *it);
