// RUN: plumb dump ir %s
// Bit fields: read and written in their storage unit, their neighbours masked out.

struct flags {
	unsigned a : 3;
	int b : 10;
	unsigned : 0;
	unsigned long wide : 40;
	_Bool on : 1;
	char *name;
};

void set(struct flags *f, int x)
{
	f->a = 5;
	f->b = x;
	f->wide = 7;
	f->on = 1;
	f->name = 0;
}

int get(struct flags *f)
{
	return f->on ? f->b : f->a;
}
