// RUN: plumb dump callgraph %s
// Direct and mutual recursion is marked; what calls into it is not.
void even(int n);

static void odd(int n)
{
	if (n)
		even(n - 1);
}

void even(int n)
{
	if (n)
		odd(n - 1);
}

static int self(int n)
{
	return n ? self(n - 1) : 0;
}

int outside(int n)
{
	even(n);
	return self(n);
}
