// An 8-bit code: -1 stored in it is 255, and 256 is never seen.
#include <stdint.h>
#include <stdlib.h>

int read_byte(void);

int frame_ok(void)
{
	uint8_t code = (uint8_t)read_byte();
	char *body = malloc(32);

	if (!body)
		return -1;
	if ((int)code > 255)
		return -2;	/* never */
	free(body);
	return code;
}

int frame_end_ok(int failed)
{
	uint8_t code = 0;
	char *body = malloc(32);

	if (!body)
		return -1;
	if (failed)
		code = (uint8_t)-1;
	if (code == 255) {
		free(body);
		return -2;
	}
	if (failed)
		return -3;	/* never: the code was 255 */
	free(body);
	return 0;
}

int frame_end_bad(int failed)
{
	int8_t code = 0;
	char *body = malloc(32); // LEAK(conditional)

	if (!body)
		return -1;
	if (failed)
		code = (int8_t)-1;
	if (code == 127) {
		free(body);
		return -2;
	}
	if (code < 0)
		return -3;
	free(body);
	return 0;
}
