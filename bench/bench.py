#!/usr/bin/env python3
"""
bench.py - plumb side by side with what people would use instead.

    bench/bench.py [--quick] [--minutes N] [--only PART]... [--tool T]... [--program P]... [--again]
    bench/bench.py --page

Measures what is not yet measured, or is stale, and writes bench/results/PART.json and from
those docs/benchmarks.md with its plots.  A broken run goes on where it stopped: see common.py.
The parts:

    static  plumb check against Clang's analyzer, gcc -fanalyzer, cppcheck (static.py)
    fix     plumb fix: fixed, refused and why, time of the proof (static.py)
    finds   which of the programs of bench/leaks/ each tool of the run time finds (watch.py)
    watch   what watching costs, against the same tools (watch.py)
    run     training and cyclic buffers: memory over time, cost (cyclic.py)

    --quick         small programs, once, 8 minutes at most (make bench-quick); rows and page go to
                    build/bench/quick/, since they are no match for those of a full run
    --minutes N     begin nothing new after N minutes; 55 by default, 6 with --quick, 0 for no end
    --only, --tool, --program   only these; each may be repeated
    --again         measure again what is there and not stale
    --page          measure nothing, make the page

`bench.py --only static --only fix --tool plumb` measures another plumb on all programs and
leaves the rows of the others.  Rows are ratios to a yardstick of the same minute, so that they
can be measured at different times; see the head of each part.
"""

import argparse
import os
import time

import cyclic
import page
import static
import watch
from common import OUT, TOP, Budget, Store, say

PARTS = {'static': static.measure_checks, 'finds': watch.measure_finds, 'fix': static.measure_fixes,
         'watch': watch.measure_costs, 'run': cyclic.measure_runs}


def main():
    parser = argparse.ArgumentParser(description='plumb side by side with others; see the head of this file')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--minutes', type=float)
    parser.add_argument('--only', action='append', choices=PARTS)
    parser.add_argument('--tool', action='append')
    parser.add_argument('--program', action='append')
    parser.add_argument('--again', action='store_true')
    parser.add_argument('--page', action='store_true')
    args = parser.parse_args()
    docs = os.path.join(TOP, 'docs')
    if args.quick:
        Store.folder = docs = os.path.join(OUT, 'quick')
        static.TOTAL_CPU, watch.SECONDS = 15, '3'
    if not args.page:
        minutes = args.minutes if args.minutes is not None else 6 if args.quick else 55
        budget = Budget(minutes)
        for name in args.only or PARTS:
            began = time.monotonic()
            PARTS[name](args, budget)
            say(f'part {name}: {(time.monotonic() - began) / 60:.1f} minutes')
    page.write(Store.folder, docs)
    say(f'the page is {os.path.relpath(docs)}/benchmarks.md')


if __name__ == '__main__':
    main()
