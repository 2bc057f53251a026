/* the library yields an object only with a return code of 0 */
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
int idn2_lookup_u8(const uint8_t *, uint8_t **, int);
void idn2_free(void *);
char *f(const char *s)
{
	char *a;
	int ret = idn2_lookup_u8((const uint8_t *)s, (uint8_t **)&a, 16);
	if (ret != 0)
		ret = idn2_lookup_u8((const uint8_t *)s, (uint8_t **)&a, 4);
	if (ret == 0 && a) {
		char *t = strdup(a);
		idn2_free(a);
		a = t;
	}
	return ret == 0 ? a : NULL;
}
