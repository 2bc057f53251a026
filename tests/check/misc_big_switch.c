// An opcode loop: many cases, one buffer.
#include <stdlib.h>

int interpret_ok(const unsigned char *code)
{
	int *stack = malloc(64 * sizeof(*stack)), sp = 0, r = 0;

	if (!stack)
		return -1;
	for (;;) {
		switch (*code++) {
		case 0:
			r = sp ? stack[sp - 1] : 0;
			goto done;
		case 1:
			stack[sp++] = *code++;
			break;
		case 2:
			stack[sp - 2] += stack[sp - 1];
			sp--;
			break;
		case 3:
			if (stack[--sp])
				code += *code;
			break;
		default:
			r = -2;
			goto done;
		}
		if (sp >= 62)
			goto done;
	}
done:
	free(stack);
	return r;
}

int interpret_bad(const unsigned char *code)
{
	int *stack = malloc(64 * sizeof(*stack)), sp = 0; // LEAK(conditional)

	if (!stack)
		return -1;
	for (;;) {
		switch (*code++) {
		case 0:
			free(stack);
			return 0;
		case 1:
			stack[sp++] = *code++;
			break;
		case 2:
			stack[sp - 2] += stack[sp - 1];
			sp--;
			break;
		default:
			return -2;
		}
	}
}
