#define RETURN_UNLESS(cond, value)	\
	do {				\
		if (!(cond))		\
			return (value);	\
	} while (0)
