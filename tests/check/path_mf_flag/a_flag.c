// A whole program of two units: a global flag that is set in another unit, and one that
// nobody sets.
#include "flag.h"

int quiet;
int force;

void set_force(int on)
{
	force = on;
}
