"""
terminal.py - plumb watch on a terminal: Ctrl-C, Ctrl-Z.

    terminal.py PLUMB PROG

Runs `PLUMB watch -q -o tty -- PROG signals` on a pseudo terminal.  PROG prints
"ready", then "got N" for each signal N that it catches, and ends with status 5 after
"end" on its standard input.  Prints what came.
"""
import os
import pty
import re
import select
import sys
import time

plumb, prog = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(plumb, [plumb, 'watch', '-q', '-o', 'tty', '--', prog, 'signals'])

seen = b''


def expect(what):
    global seen
    limit = time.time() + 200
    while not re.search(what, seen):
        if time.time() > limit:
            print('nothing came:', what, seen)
            sys.exit(1)
        if not select.select([fd], [], [], 1)[0]:
            continue
        try:
            seen += os.read(fd, 4096)
        except OSError:         # the other end is closed
            return


expect(rb'ready')
os.write(fd, b'\x03')
expect(rb'got 2')
time.sleep(0.3)
os.write(fd, b'\x1c')           # Ctrl-\
expect(rb'got 3')
os.write(fd, b'end\n')
expect(rb'never')
status = os.waitpid(pid, 0)[1]
counts = [len(re.findall(rb'got %d' % n, seen)) for n in (2, 3)]
print(f'SIGINT {counts[0]} times, SIGQUIT {counts[1]} times, status {os.waitstatus_to_exitcode(status)}')
