# 1 "x.c"
# 1 "<built-in>" 1
#define __GNUC__ 4
# 1 "<built-in>" 2
# 1 "x.c" 2
# 1 "./h.h" 1 3 4
#define A(x) B + x
#define B 1
#undef B
typedef struct s { enum { C, D } e; } s_t;
extern s_t *f(int (*g)(void)) __attribute__((nonnull));
static inline int h(void) { return A(1); }
#pragma pack(1)
int v[] = { 1, 2 };
# 2 "x.c" 2
int main(void) { return f(0) != 0 && h(); }
