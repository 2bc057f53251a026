struct link { void *data; struct link *next; };
struct list { struct link *head; };

int list_add(struct list *l, void *data);
void list_clear(struct list *l, void (*drop)(void *));
