// A bit is set when the object becomes ours, and tested when we leave.
#include <stdlib.h>
#include <string.h>

#define F_OWNED 0x10u
#define F_DIRTY 0x20u

int edit_ok(char *text, unsigned flags, int grow)
{
	flags &= ~F_OWNED;
	if (grow) {
		text = strdup(text);
		if (!text)
			return -1;
		flags |= F_OWNED;
	}
	text[0] = ' ';
	flags |= F_DIRTY;
	if (flags & F_OWNED)
		free(text);
	return (int)flags;
}

int edit_bad(char *text, unsigned flags, int grow)
{
	flags &= ~F_OWNED;
	if (grow) {
		text = strdup(text); // LEAK(conditional)
		if (!text)
			return -1;
		flags |= F_OWNED;
	}
	text[0] = ' ';
	flags = F_DIRTY;
	if (flags & F_OWNED)
		free(text);
	return (int)flags;
}
