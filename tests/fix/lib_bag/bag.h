struct bag {
	char *item[2];
	int n;
};

int bag_copy(struct bag *b, const char *s);
int bag_copy_blindly(struct bag *b, const char *s);
