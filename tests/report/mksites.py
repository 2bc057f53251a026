"""
mksites.py - findings and bounds that go with a run, for tests of plumb report.

    mksites.py RUN.json FOLDER

RUN.json is that of mkrun's scenario `some`.  Writes to FOLDER:

    findings.json   session_open: with a patch, by a name that is relative;
                    load_mime_types: fix refused, by a name of another machine
    bounds.json     as plumb bounds prints it: load_mime_types leaks with a bound of 3,
                    new_entry does not leak, an address without a name
    raw.bounds      as plumb train writes it, of a program that is gone
"""
import json
import os
import sys

run = json.load(open(sys.argv[1]))
folder = sys.argv[2]


def naming(function):
    for site in run['sites']:
        frame = site['frames'][site['site_frame']]
        if frame['function'] == function:
            return site, frame
    raise SystemExit(f'no site of {function}')


def finding(frame, file, ident, **more):
    f = {'id': ident, 'kind': 'never-freed', 'resource': 'memory', 'file': file, 'line': frame['line'], 'column': 0,
         'function': frame['function'], 'allocator': 'session_xmalloc', 'variable': 'p',
         'leak': {'file': file, 'line': frame['line'] + 2, 'function': frame['function']}, 'condition': '',
         'path': [{'file': file, 'line': frame['line'], 'message': 'allocated here'}],
         'engines': ['vfg'], 'confidence': 'high', 'suppressed': False}
    f.update(more)
    return f


def trained(site, allocated, freed, bounds):
    frames = [dict(f, build_id='') for f in site['frames']]
    return {'id': '0' * 16, 'frames': frames, 'allocated': allocated, 'freed': freed, 'bounds': bounds,
            'stable': True, 'm': max(bounds), 'max_size': 64, 'bytes': 12900, 'leaking': True}


leak, open_frame = naming('session_open')
bloat, mime_frame = naming('load_mime_types')
entry, _ = naming('new_entry')
line = open_frame['line'] + 1
findings = [
    finding(open_frame, open_frame['file'], 'a' * 16, fix={
        'status': 'available', 'reason': '', 'edits': [
            {'file': open_frame['file'], 'line': line, 'column': 1, 'end_line': line, 'end_column': 1,
             'text': '\tfree(session); /* the patch */\n'}]}),
    finding(mime_frame, '/elsewhere/' + mime_frame['file'], 'b' * 16, kind='conditional', condition='n < 0',
            confidence='medium', fix={'status': 'refused', 'reason': '`table` is kept by <b>', 'edits': []}),
    # the same name in another folder, and another function on the line: another site
    finding(dict(open_frame, function='other'), '/elsewhere/' + open_frame['file'], 'c' * 16, confidence='low'),
]
json.dump({'schema': 'plumb-findings/1', 'tool_version': '0', 'units': {'analysed': 3, 'failed': []},
           'findings': findings}, open(os.path.join(folder, 'findings.json'), 'w'))

nameless = {'frames': [{'module': '/opt/prog', 'offset': 0x1234, 'function': '', 'file': '', 'line': 0}]}
runs = [{'command': ['./server', '-n', '20'], 'ended': 'exit 0'}, {'command': ['./server', '-n', '80'], 'ended': 'exit 0'}]
json.dump({'schema': 'plumb-bounds/1', 'program': '/opt/server', 'build_id': '', 'depth': 4, 'runs': runs,
           'sites': [trained(bloat, [20, 80], [0, 0], [3, 3]), trained(entry, [20, 80], [20, 80], [7, 9]),
                     trained(nameless, [20, 80], [0, 0], [1, 1])]},
          open(os.path.join(folder, 'bounds.json'), 'w'))
json.dump({'schema': 'plumb-bounds/1', 'program': '/gone/server', 'build_id': '', 'depth': 4, 'runs': runs,
           'modules': [{'path': '/opt/prog', 'build_id': ''}],
           'sites': [{'id': '0' * 16, 'frames': [{'module': 0, 'offset': 0x1234}], 'allocated': [2, 8], 'freed': [0, 0],
                      'bounds': [1, 1], 'max_size': 16, 'bytes': 160}]},
          open(os.path.join(folder, 'raw.bounds'), 'w'))
