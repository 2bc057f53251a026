enum code { C_OK, C_AGAIN, C_FAIL };

struct reply { char *text; int status; };

enum code reply_read(struct reply **out, int fd);
void reply_free(struct reply *r);
int fd_ready(int fd);
int fd_status(int fd);
