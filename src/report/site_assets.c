/*
 * site_assets.c - the style that only the page of sites has; the rest is that of the page of a run.
 */
#include "report/priv.h"

const char report__site_css[] =
".verdicts { margin: .8rem 0 0; padding: 0; list-style: none; font-size: .95rem; }\n"
".verdicts li { display: grid; grid-template-columns: 4.2rem minmax(0, 1fr); padding: .2rem 0; "
	"overflow-wrap: anywhere; }\n"
".verdicts small { color: var(--muted); }\n"
".verdicts .conf { margin-left: .4rem; font-size: .85rem; color: var(--muted); white-space: nowrap; }\n"
".part { font: 600 .8rem/1.5rem var(--mono); color: var(--muted); }\n"
".fixable { color: var(--good); }\n"
".badge.found { color: var(--leak); background: var(--leak-bg); }\n"
".badge.bounded { color: var(--alloc); background: var(--alloc-bg); }\n"
".badge.patch { color: var(--good); background: var(--good-bg); }\n"
".detail .card { margin: .4rem 0 .6rem; }\n"
".detail > td { max-width: 0; }\n"
".detail td > details:not(.card) > summary { font-size: .9rem; color: var(--muted); }\n"
"h3 code { overflow-wrap: anywhere; }\n"
"table.runs { width: auto; min-width: min(100%, 26rem); margin: .3rem 0 .6rem; font-size: .9rem; }\n"
".runs td { padding: .25rem .6rem; }\n"
"@media (max-width: 40rem) { .verdicts li { grid-template-columns: 3.4rem minmax(0, 1fr); } }\n";
