#!/usr/bin/env python3
"""
plot.py - curves of memory over requests as an SVG file.

    bench/plot.py OUT.svg NAME.KIND.tsv...

Each file has lines `requests<TAB>kB`.  Files of one NAME share a panel; the kinds
plain and cyclic are told apart by colour.
"""

import os
import sys

W, H, LEFT, TOP, PAD = 420, 240, 70, 30, 30
COLOURS = {'plain': '#c0392b', 'cyclic': '#2471a3'}


def read(path):
    with open(path) as f:
        rows = [tuple(map(float, line.split('\t'))) for line in f if line.strip()]
    step = max(1, len(rows) // 400)
    return rows[::step] + rows[-1:]


def panel(out, x0, name, curves):
    xmax = max(x for c in curves.values() for x, _ in c) or 1
    ymax = (max(y for c in curves.values() for _, y in c) or 1) * 1.05

    def at(x, y):
        return f'{x0 + LEFT + x / xmax * W:.1f},{TOP + H - y / ymax * H:.1f}'

    out.append(f'<text x="{x0 + LEFT}" y="{TOP - 10}" font-weight="bold">{name}</text>')
    out.append(f'<rect x="{x0 + LEFT}" y="{TOP}" width="{W}" height="{H}" fill="none" stroke="#999"/>')
    for k in range(5):
        y = ymax * k / 4
        out.append(f'<text x="{x0 + LEFT - 6}" y="{TOP + H - H * k / 4 + 4:.0f}" '
                   f'text-anchor="end">{y / 1024:.0f} MB</text>')
    for k in range(3):
        out.append(f'<text x="{x0 + LEFT + W * k / 2:.0f}" y="{TOP + H + 16}" '
                   f'text-anchor="middle">{xmax * k / 2:,.0f}</text>')
    for i, (kind, rows) in enumerate(sorted(curves.items())):
        colour = COLOURS.get(kind, '#333')
        points = ' '.join(at(x, y) for x, y in rows)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{x0 + LEFT + 10}" y="{TOP + 18 + 16 * i}" fill="{colour}">{kind}</text>')


def main():
    names = {}
    for path in sys.argv[2:]:
        name, kind = os.path.basename(path).split('.')[:2]
        names.setdefault(name, {})[kind] = read(path)
    width = (LEFT + W + PAD) * len(names)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + H + 40}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{TOP + H + 40}" fill="white"/>']
    for i, (name, curves) in enumerate(sorted(names.items())):
        panel(out, i * (LEFT + W + PAD), name, curves)
    out.append('</svg>')
    with open(sys.argv[1], 'w') as f:
        f.write('\n'.join(out) + '\n')


if __name__ == '__main__':
    main()
