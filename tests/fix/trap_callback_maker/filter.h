struct filter {
	void *data;
};

struct table {
	int (*init)(struct filter *);
	void (*close)(struct filter *);
};

int attach(const struct table *t);
int attach_state(void);
