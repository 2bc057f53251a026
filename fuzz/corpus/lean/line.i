# 1 "x.c"
# 7 "x.y"
int f;
