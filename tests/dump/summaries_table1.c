// RUN: plumb dump summaries %s
// Xu and Zhang (QSIC 2008), Table 1: what is inferred for the functions of Figure 1,
// MallocArg with the result 1, MallocArg with an unknown result, None.  Unlike the paper
// we keep the case in which malloc() fails.
#include "../check/melton_fig1.c"
