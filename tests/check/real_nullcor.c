/* the resource exists where gzbuf does */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
int more(char *);
int f(int flags, int exact, long toread)
{
	char *gzbuf = NULL, *dl = malloc(100);
	z_stream z;
	int ret = 0;
	long sum = 0;
	if (!dl) abort();
	memset(&z, 0, sizeof z);
	if (flags & 1) {
		gzbuf = malloc(1000);
		if (gzbuf != NULL) {
			ret = inflateInit2(&z, 47);
			if (ret != Z_OK) {
				free(gzbuf);
				gzbuf = NULL;
				ret = -1;
				goto out;
			}
		} else {
			ret = -1;
			goto out;
		}
	}
	while (!exact || sum < toread) {
		if (more(dl))
			break;
		sum++;
	}
out:
	if (gzbuf != NULL) {
		inflateEnd(&z);
		free(gzbuf);
	}
	free(dl);
	return ret;
}
