#include <stddef.h>

struct strvec { char **v; size_t n, cap; };

void strvec_init(struct strvec *s);
int strvec_push(struct strvec *s, const char *t);
void strvec_release(struct strvec *s);
