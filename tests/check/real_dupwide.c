/* false: -1 comes with NULL; otherwise the result is a count that goes up from 0 */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static size_t dup_wide(wchar_t **out, const char *src)
{
	const char *p = src, *tmp, *stop;
	wchar_t *buf = NULL;
	size_t size = 0, count = 0, n, length, most;
	mbstate_t state, tmp_state;

	if (src == NULL || out == NULL) {
		if (out)
			*out = NULL;
		return (size_t)-1;
	}
	memset(&state, 0, sizeof(state));
	do {
		stop = strchr(p, '\\');
		most = stop ? (size_t)(stop - p) : strlen(p) + 1;
		tmp = p;
		tmp_state = state;
		length = mbsnrtowcs(NULL, &tmp, most, 0, &tmp_state);
		if (length == 0) {
			tmp = p;
			tmp_state = state;
			length = 1;
		}
		if (length == (size_t)-1) {
			free(buf);
			*out = NULL;
			return (size_t)-1;
		}
		if (size < count + length + 1) {
			wchar_t *more;
			while (size < count + length + 1)
				size += 32;
			more = realloc(buf, size * sizeof(*buf));
			if (more == NULL) {
				free(buf);
				*out = NULL;
				return (size_t)-1;
			}
			buf = more;
		}
		n = mbsnrtowcs(buf + count, &p, most, size - count, &state);
		if (n == 0 && p == NULL) {
			buf[count] = L'\0';
			break;
		}
		if (length == 1 && (n == 0 || n == (size_t)-1)) {
			state = tmp_state;
			p = tmp;
			buf[count] = *p;
			if (*p == 0)
				break;
			count++;
			p++;
		} else {
			count += length;
		}
		if (mbsinit(&state) && p != NULL && *p == '\\') {
			buf[count++] = L'\\';
			p++;
		}
	} while (p != NULL);
	*out = buf;
	return count;
}

int match(const char *pattern, const char *string)
{
	wchar_t *wpattern, *wstring;
	size_t n;
	int ret;

	n = dup_wide(&wpattern, pattern);
	if (n == (size_t)-1)
		return strcmp(pattern, string);
	n = dup_wide(&wstring, string);
	if (n == (size_t)-1 || n == (size_t)-2) {
		free(wpattern);
		return strcmp(pattern, string);
	}
	ret = wcscmp(wpattern, wstring);
	free(wpattern);
	free(wstring);
	return ret;
}
