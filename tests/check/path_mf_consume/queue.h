struct task { struct task *next; char *cmd; };
struct queue { struct task *head; int limit, n; };

struct task *task_new(const char *cmd);
void task_free(struct task *t);
int queue_push(struct queue *q, struct task *t);
