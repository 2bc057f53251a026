// RUN: plumb dump ir %s
// Switches: fall through, ranges, default in the middle, a case on a wide or an enum value.

enum colour { RED, GREEN = 5, BLUE };

int colour(enum colour c)
{
	switch (c) {
	case RED:
		return 1;
	case GREEN:
	case BLUE:
		break;
	}
	return 0;
}

int fall(long n)
{
	int r = 0;

	switch (n) {
	case 1:
		r++;
	default:
		r += 2;
		break;
	case -3 ... -1:
		r = 9;
		break;
	case 0x100000000:
		return 7;
	}
	do {
		if (r == 5)
			break;
	} while (r++ < 10);
	return r;
}
