"""
pprof.py - a profile, read by its format (profile.proto) and printed as text.

    pprof.py FILE.pb.gz

One line for the types of values, then one for each sample: its values, its kind,
and its functions with lines, innermost first.  Whatever the format forbids
(numbers that name nothing, an empty string table) is an error.
"""
import gzip
import sys


def varint(b, at):
    x = shift = 0
    while True:
        x |= (b[at] & 0x7f) << shift
        shift += 7
        at += 1
        if b[at - 1] < 0x80:
            return x, at


def fields(b):
    """{field: [values]}; messages stay bytes."""
    out, at = {}, 0
    while at < len(b):
        key, at = varint(b, at)
        assert key & 7 in (0, 2), 'a kind of field that the format does not use'
        x, at = varint(b, at)
        if key & 7 == 2:
            assert at + x <= len(b), 'cut short'
            x, at = b[at:at + x], at + x
        out.setdefault(key >> 3, []).append(x)
    return out


def packed(b):
    out, at = [], 0
    while at < len(b):
        x, at = varint(b, at)
        out.append(x)
    return out


def one(f, n):
    return f.get(n, [0])[0]


def main(path):
    p = fields(gzip.open(path).read())
    strings = [s.decode('utf-8', 'replace') for s in p[6]]
    assert strings[0] == '', 'the first string must be empty'
    functions = {one(f, 1): (strings[one(f, 2)], strings[one(f, 4)]) for f in map(fields, p.get(5, []))}
    mappings = {one(f, 1): f for f in map(fields, p.get(3, []))}
    locations = {}
    for f in map(fields, p.get(4, [])):
        m = mappings[one(f, 2)]
        assert one(m, 2) <= one(f, 3) < one(m, 3), 'an address outside its mapping'
        locations[one(f, 1)] = [(functions[one(line, 1)][0], one(line, 2)) for line in map(fields, f[4])]
    assert 0 not in functions and 0 not in locations and 0 not in mappings
    types = [strings[one(f, 1)] + '/' + strings[one(f, 2)] for f in map(fields, p[1])]
    print(' '.join(types), 'default', strings[one(p, 14)])
    for s in map(fields, p.get(2, [])):
        values = packed(one(s, 2))
        assert len(values) == len(types)
        label = fields(one(s, 3))
        stack = [f'{name}:{line}' for i in packed(s[1][0]) for name, line in locations[i]]
        print(' '.join(map(str, values)), f'{strings[one(label, 1)]}={strings[one(label, 2)]}', ' '.join(stack))


main(sys.argv[1])
