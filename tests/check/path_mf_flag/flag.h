extern int quiet;		/* never changed by anybody */
extern int force;		/* set by the options */
void set_force(int on);
