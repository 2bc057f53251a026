struct ops {
	void *(*open)(const char *name);
	void (*close)(void *h);
};
