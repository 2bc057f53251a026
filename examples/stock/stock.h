/* stock - counts what lies in a warehouse, from lists like
 *
 *	bolt M6, 1200
 *	nut M6, 900
 */
#ifndef STOCK_H
#define STOCK_H

#include <stddef.h>
#include <stdio.h>

struct item {
	char *name;
	long count;
	struct item *next;
};

struct stock {
	struct item *items;
	size_t n;
};

/* list.c */
int list_read(struct stock *s, FILE *f, const char *path);

/* store.c */
struct item *stock_find(struct stock *s, const char *name);
int stock_add(struct stock *s, const char *name, long count);
void stock_clear(struct stock *s);

/* report.c */
void report_print(const struct stock *s, FILE *out);
int report_save(const struct stock *s, const char *base, const char *suffix);

#endif
