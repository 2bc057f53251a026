struct buffer;

struct buffer *buffer_new(int room);
int buffer_put(struct buffer *b, const char *s);
void buffer_free(struct buffer *b);
