// Text beyond ASCII before the place, on its line.
// LEAKS: 2
// PATCH: ^\+.*free\(größe\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int grüße(const char *wen)
{
	char *größe = strdup(wen);

	/* „Anführung“ – ☃ */ if (größe[0] == 0) { puts("Grüße, 世界 ☃"); return 1; } /* ü */
	if (strcmp(größe, "é") == 0) return /* ñ */ (int)strlen("ñandú");
	printf("→ %s\n", größe);
	free(größe);
	return 0;
}

int main(void)
{
	printf("%d\n", grüße(""));
	printf("%d\n", grüße("é"));
	printf("%d\n", grüße("ok"));
	return 0;
}
