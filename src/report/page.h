/*
 * page.h - what all HTML pages share.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct sbuf;
struct story_block;

/* Text of any origin, as text. */
void page_text(struct sbuf *b, const char *s);
/* The same with `...` as <code>. */
void page_prose(struct sbuf *b, const char *s);
/* Lines of source with their marks; numbered: with the numbers of the steps. */
void page_excerpt(struct sbuf *b, const struct story_block *block, bool numbered);
/* The same under its place. */
void page_block(struct sbuf *b, const struct story_block *block, bool numbered);

/* The page up to and including the brand in the open <header>, with its title and the
 * styles that not all pages have. */
void page_begin(struct sbuf *b, const char *title, const char *more_css);
/* The script and the end, after </main>. */
void page_end(struct sbuf *b, const char *js);
/* The bar above a list: a search field and buttons, which the page puts in between. */
void page_bar_begin(struct sbuf *b, const char *placeholder, const char *label);
void page_bar_end(struct sbuf *b, const char *fold);
/* The head of a table, which is sorted by the first column.  Readers can sort by columns that
 * have a key. */
struct page_column {
	const char *key, *title, *class, *help;
};
void page_columns(struct sbuf *b, const struct page_column *v, unsigned n);
/* Writes the text of b and empties b. */
void page_flush(struct sbuf *b, FILE *f);

#endif
