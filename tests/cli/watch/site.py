"""
site.py - what a run's report says first.

    site.py REPORT.json [FUNCTION]

Prints "RANK KIND FUNCTION LINE" of the first site, or of the first one that has
FUNCTION in its context.  The function is that of the frame which names the site.
"""
import json
import sys

for s in json.load(open(sys.argv[1]))['sites']:
    names = [f['function'] for f in s['frames']]
    if len(sys.argv) < 3 or sys.argv[2] in names:
        at = s['frames'][s['site_frame']] if s['frames'] else {'function': '?', 'line': 0}
        print(s['rank'], s['kind'], at['function'], at['line'])
        break
else:
    print('none')
