// llvm/llvm-project 183344: one function takes one object and returns another one.
#include <stddef.h>

struct raw;
struct parsed;

struct raw *raw_read(int fd) __attribute__((ownership_returns(raw)));
void raw_drop(struct raw *r) __attribute__((ownership_takes(raw, 1)));
struct parsed *raw_parse(struct raw *r) __attribute__((ownership_returns(parsed), ownership_takes(raw, 1)));
void parsed_drop(struct parsed *p) __attribute__((ownership_takes(parsed, 1)));

int turned_ok(int fd)
{
	struct raw *r = raw_read(fd);
	struct parsed *p;

	if (!r)
		return -1;
	p = raw_parse(r);
	if (!p)
		return -1;
	parsed_drop(p);
	return 0;
}

int result_bad(int fd)
{
	struct raw *r = raw_read(fd);

	if (!r)
		return -1;
	return raw_parse(r) ? 0 : -1; // LEAK(never-freed)
}

int not_turned_bad(int fd, int n)
{
	struct raw *r = raw_read(fd); // LEAK(conditional)
	struct parsed *p;

	if (!r || n < 0)
		return -1;
	p = raw_parse(r);
	parsed_drop(p);
	return 0;
}
