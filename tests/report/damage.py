"""
damage.py - many damaged copies of a JSON file, none of which may be taken for a whole one.

    damage.py FILE FOLDER      writes FOLDER/NAME.json for each

Each member of the top, of the first site or finding, and of the first frame of that in
turn is replaced by something of another type.
"""
import copy
import json
import os
import sys

whole = json.load(open(sys.argv[1]))
BAD = {str: 7, int: 'x', float: 'x', bool: 'x', list: 'x', dict: 'x'}
# passed over, or for people only
FREE = {'tool_version', 'reason', 'ended', 'notes', 'inlined', 'findings_linked', 'stable', 'm', 'leaking', 'id',
        'build_id', 'depth', 'findings'}


def places(o, path, depth):
    for key, value in o.items():
        yield path + [key]
        if isinstance(value, list) and value and isinstance(value[0], dict) and depth:
            yield from places(value[0], path + [key, 0], depth - 1)


for path in list(places(whole, [], 2)):
    if path[-1] in FREE and path != ['findings'] or path[0] == 'findings' and path[-1] == 'fix':
        continue
    copy_of = copy.deepcopy(whole)
    at = copy_of
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = BAD[type(at[path[-1]])]
    name = '.'.join(str(p) for p in path)
    json.dump(copy_of, open(os.path.join(sys.argv[2], name + '.json'), 'w'))
