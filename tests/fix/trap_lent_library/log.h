struct table {
	int rows;
	char *err;
};

void log_open(struct table *t);
void log_error(void);
void log_close(void);
