// RUN: plumb dump ir %s
// Pointers through integers, tagged pointers, containers of members, wide integers.

struct list {
	struct list *next;
};

struct item {
	int n;
	struct list link;
	char *name;
};

char *tagged(char *p)
{
	unsigned long x = (unsigned long)p | 1;

	return (char *)(x & ~1ul);
}

struct item *container(struct list *l)
{
	return (struct item *)((char *)l - __builtin_offsetof(struct item, link));
}

int half(char *p)
{
	return (int)(long)p;
}

__int128 wide(char *p, __int128 x)
{
	return x * (__int128)(long)p + 5;
}

int narrow(unsigned char c, short s, _Bool b)
{
	return c + s + b;
}

void *minus_one(void)
{
	return (void *)-1;
}

void copy(struct item *to, struct item *from, void *raw)
{
	*to = *from;
	__builtin_memcpy(raw, to, sizeof(*to));
	__builtin_memmove(&to->name, &from->name, sizeof(to->name));
	__builtin_memset(from, 0, sizeof(*from));
	((struct item *)raw)->name = 0;
}
