struct conf { char *name, *val; };

struct conf *conf_new(const char *name);
void conf_set(struct conf *c, const char *val);
void conf_free(struct conf *c);
