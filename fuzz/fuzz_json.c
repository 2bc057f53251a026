/*
 * fuzz_json.c - JSON text.  What the reader takes, the writer must write as text
 * that reads back equal; and a findings file must be taken or refused whole.
 */
#include "base/error.h"
#include "base/json.h"
#include "finding/finding.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void write_value(struct json_writer *w, json_t *v)
{
	const char *key;
	json_t *item;
	size_t i;

	switch (json_typeof(v)) {
	case JSON_OBJECT:
		jw_object(w);
		json_object_foreach(v, key, item) {
			jw_key(w, key);
			write_value(w, item);
		}
		jw_object_close(w);
		break;
	case JSON_ARRAY:
		jw_array(w);
		json_array_foreach(v, i, item)
			write_value(w, item);
		jw_array_close(w);
		break;
	case JSON_STRING:
		jw_strn(w, json_string_value(v), json_string_length(v));
		break;
	case JSON_INTEGER:
		jw_int(w, json_integer_value(v));
		break;
	case JSON_REAL:
		jw_num(w, json_real_value(v));
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		jw_bool(w, json_is_true(v));
		break;
	case JSON_NULL:
		jw_null(w);
		break;
	}
}

/* Numbers with a fraction may lose it in the last digits: those are not compared. */
static bool has_real(json_t *v)
{
	const char *key;
	json_t *item;
	size_t i;

	if (json_is_real(v))
		return true;
	if (json_is_array(v))
		json_array_foreach(v, i, item)
			if (has_real(item))
				return true;
	if (json_is_object(v))
		json_object_foreach(v, key, item)
			if (has_real(item))
				return true;
	return false;
}

static void round_trip(json_t *v)
{
	struct json_writer w;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	json_t *again = NULL;

	if (!f)
		abort();
	jw_begin(&w, f);
	write_value(&w, v);
	jw_end(&w);
	if (fclose(f) != 0 || jr_parse(&again, text, n, "written") < 0)
		abort();
	if (!has_real(v) && !json_equal(v, again))
		abort();
	json_decref(again);
	free(text);
}

/* findings_read takes a path: a memory file has one. */
static void as_findings(const uint8_t *data, size_t n)
{
	static int fd = -1;
	char path[64];
	struct findings fs;

	if (fd < 0 && (fd = memfd_create("findings", 0)) < 0)
		abort();
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data, n, 0) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	findings_init(&fs);
	findings_read(&fs, path);
	findings_release(&fs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	json_t *v = NULL;

	if (jr_parse(&v, (const char *)data, n, "input") == 0)
		round_trip(v);
	json_decref(v);
	as_findings(data, n);
	return 0;
}
