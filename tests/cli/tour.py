#!/usr/bin/env python3
"""
tour.py - runs the commands of a page and compares what they print with what the page says.

    tour.py [--update] PAGE CLOCK

Blocks fenced by ```console hold commands, a line `$ command` each, and below each what it
prints on both streams.  All of them run in one bash, in order, from the current folder: cd
and export carry over, and `echo $?` tells of the command before.  A line `...` stands for
any lines.  A block behind a comment `<!-- clock -->` runs with CLOCK preloaded, so that
the library's clock goes by requests (tour_clock.c); if CLOCK is empty, by time.

What differs from run to run and from machine to machine is not compared: process numbers,
sizes, times, how many objects of a site are known to be stale, shares of memory, the
width of columns.  VARIES below lists it.  Everything else must be as printed, to the letter.

--update writes what is printed now into the page (not where there is a `...`).
Prints `ok` and `not ok` lines as tests/lib.sh does.
"""

import difflib
import os
import re
import shlex
import subprocess
import sys

VARIES = [
    (r'\bprocess \d+', 'process PID'),
    (r'\b\d+(\.\d+)? (bytes|B|kB|MB|GB)\b', 'SIZE'),
    (r'\b\d+(\.\d+)? s\b', 'TIME'),
    (r'stale in \d+ objects', 'stale in N objects'),
    (r'\b\d+(\.\d+)?%', 'SHARE'),
    (r' +', ' '),
]


class Command:
    def __init__(self, text, clock, line):
        self.text, self.clock, self.line = text, clock, line
        self.want, self.got = [], []


def read_page(path):
    """The page as a list of lines and Commands, in order."""
    items, block, clock = [], False, False
    with open(path, encoding='utf-8') as f:
        lines = f.read().split('\n')
    for n, line in enumerate(lines, 1):
        if not block:
            block = line == '```console'
            clock = line == '<!-- clock -->' or (clock and block)
            items.append(line)
        elif line == '```':
            block = False
            clock = False
            items.append(line)
        elif line.startswith('$ '):
            items.append(Command(line[2:], clock, n))
        elif isinstance(items[-1], Command):
            items[-1].want.append(line)
        else:
            sys.exit(f'{path}:{n}: output without a command')
    return items


def run(commands, clock):
    """Runs them; a command that bash did not come to has None."""
    script = []
    for i, c in enumerate(commands):
        if c.clock and clock:
            script.append(f'export LD_PRELOAD={shlex.quote(clock)}')
        script.append(f'{{ {c.text}\n}} >"$TOUR_OUT/{i}" 2>&1 </dev/null')
        if c.clock and clock:
            script.append('unset LD_PRELOAD')
    out = os.path.join(os.environ['TMPDIR'], 'tour-out')
    os.makedirs(out, exist_ok=True)
    subprocess.run(['bash', '-c', '\n'.join(script)], env={**os.environ, 'TOUR_OUT': out})
    for i, c in enumerate(commands):
        path = os.path.join(out, str(i))
        c.got = None
        if os.path.exists(path):
            with open(path, encoding='utf-8', errors='replace') as f:
                c.got = f.read().rstrip('\n').split('\n')
        if c.got == ['']:
            c.got = []


def plain(line):
    for pattern, name in VARIES:
        line = re.sub(pattern, name, line)
    return line.rstrip()


def agrees(want, got):
    """Do these lines agree?  `...` in want is any lines."""
    if not want:
        return not got
    if want[0] == '...':
        return any(agrees(want[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and plain(want[0]) == plain(got[0]) and agrees(want[1:], got[1:])


def write_page(path, items):
    with open(path, 'w', encoding='utf-8') as f:
        text = []
        for x in items:
            if isinstance(x, str):
                text.append(x)
                continue
            text.append('$ ' + x.text)
            keep = x.got is None or '...' in x.want or agrees(x.want, x.got)
            text += x.want if keep else x.got
        f.write('\n'.join(text))


def main():
    update = '--update' in sys.argv
    page, clock = [a for a in sys.argv[1:] if a != '--update']
    items = read_page(page)
    commands = [x for x in items if isinstance(x, Command)]
    run(commands, clock)
    if update:
        write_page(page, items)
        return
    for c in commands:
        if c.got is not None and agrees(c.want, c.got):
            print(f'ok - line {c.line}: {c.text}')
            continue
        if c.got is None:
            print('did not run')
        else:
            print('\n'.join(difflib.unified_diff([plain(x) for x in c.want], [plain(x) for x in c.got],
                                                 'as the page says', 'as it is', lineterm='')))
        print(f'not ok - line {c.line}: {c.text}')
    if not commands:
        print('not ok - the page has commands')


main()
