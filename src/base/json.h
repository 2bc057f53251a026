/*
 * json.h - JSON out, streaming; JSON in, through jansson.
 *
 * The writer prints to a FILE, with commas, indentation and escapes as they must be.
 * Strings need not be valid UTF-8: bad bytes are written as U+FFFD.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_writer {
	FILE *f;
	unsigned depth;
	bool first;		/* nothing written yet in this container */
	bool after_key;
	bool compact;		/* no line breaks or indentation; set it after jw_begin */
	uint64_t objects;	/* bit d: level d is an object, for asserts */
};

void jw_begin(struct json_writer *w, FILE *f);
void jw_end(struct json_writer *w);			/* final newline; depth must be 0 */
void jw_object(struct json_writer *w);
void jw_object_close(struct json_writer *w);
void jw_array(struct json_writer *w);
void jw_array_close(struct json_writer *w);
void jw_key(struct json_writer *w, const char *key);
void jw_str(struct json_writer *w, const char *s);	/* NULL is null */
void jw_strn(struct json_writer *w, const char *s, size_t n);
void jw_int(struct json_writer *w, int64_t x);
void jw_num(struct json_writer *w, double x);		/* not finite: null */
void jw_bool(struct json_writer *w, bool x);
void jw_null(struct json_writer *w);

/* key and value in one call */
void jw_kstr(struct json_writer *w, const char *key, const char *s);
void jw_kint(struct json_writer *w, const char *key, int64_t x);
void jw_kbool(struct json_writer *w, const char *key, bool x);

/* Reads a whole text.  *out is the caller's, for json_decref().  Depth is
 * limited; duplicate keys, trailing text, bad UTF-8, and a text that is neither
 * object nor array are errors.  The message names `name`, line and column. */
int jr_parse(json_t **out, const char *text, size_t n, const char *name);
int jr_parse_file(json_t **out, const char *path);
/* A member of an object, or NULL; of the wrong type is NULL too. */
const char *jr_get_str(const json_t *o, const char *key);
bool jr_get_int(const json_t *o, const char *key, int64_t *out);

#endif
