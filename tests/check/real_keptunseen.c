/* a pointer that is put away without ever being looked through is kept; where it is not put away, it is lost */
#include <stdlib.h>

struct list { int n; char *text; };
struct var { int flags; struct list *value; };

struct var *find_var(const char *name);

static struct list *list_make(void)
{
	struct list *l = malloc(sizeof(*l));

	if (!l)
		abort();
	l->n = 0;
	l->text = NULL;
	return l;
}

static void list_drop(struct list *l)
{
	if (!l)
		return;
	free(l->text);
	free(l);
}

static void give_back(struct list *l)
{
	struct var *v = find_var("STATUS");
	struct list *old = v->value;

	v->value = l;
	list_drop(old);
}

static void give_back_perhaps(struct list *l)
{
	struct var *v = find_var("STATUS");

	if (v == NULL)
		return;
	list_drop(v->value);
	v->value = l;
}

void run_ok(void (*command)(void))
{
	struct list *saved = list_make();

	command();
	give_back(saved);
}

void run_bad(void (*command)(void))
{
	struct list *saved = list_make(); // LEAK(conditional)

	command();
	give_back_perhaps(saved);
}
