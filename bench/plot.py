#!/usr/bin/env python3
"""
plot.py - plots as SVG files, for long.sh and page.py.

    bench/plot.py OUT.svg NAME.KIND.tsv...

draws curves of memory over requests: each file has lines `requests<TAB>kB`; files of one NAME
share a panel.

A plot is WIDTH wide, with one panel below the other and letters of 14, so that it can be read at the width
of a telephone, where it is scaled down a little, and does not fill a desktop.  Colours are style rules, with others
for a dark page; series differ in their mark as well, for those who do not see colours.
"""

import math
import os
import sys

WIDTH, LEFT, RIGHT = 400, 58, 12
STYLE = '''<style>
svg { font: 14px system-ui, sans-serif; --ink: #1b1f24; --soft: #6b7280; --line: #d5d9df; --back: #fff; }
text { fill: var(--ink); } .soft { fill: var(--soft); font-size: 13px; } .back { fill: var(--back); }
.grid { stroke: var(--line); fill: none; } .curve { fill: none; stroke-width: 2; }
.s0 { --c: #1f6feb; } .s1 { --c: #c2410c; } .s2 { --c: #15803d; } .s3 { --c: #8e3bb8; } .s4 { --c: #a16207; }
.s5 { --c: #0e7490; } .s6 { --c: #be185d; }
.mark { fill: var(--c); stroke: var(--back); } .curve { stroke: var(--c); } .name { fill: var(--c); }
@media (prefers-color-scheme: dark) {
svg { --ink: #e6edf3; --soft: #9aa4af; --line: #3a414a; --back: #0d1117; }
.s0 { --c: #6cb0ff; } .s1 { --c: #ff9d5c; } .s2 { --c: #5fd38a; } .s3 { --c: #d29bf2; } .s4 { --c: #e0b341; }
.s5 { --c: #56c8dd; } .s6 { --c: #ff8fbd; } }
</style>'''


def escape(text):
    return str(text).replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')


def short(x):
    """A number for an axis."""
    if x >= 1000:
        return f'{x:,.0f}'
    return f'{x:.3g}'


class Plot:
    def __init__(self, title):
        self.title, self.parts, self.y = title, [], 10

    def text(self, x, y, words, where='start', style=''):
        self.parts.append(f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{where}" class="{style}">{escape(words)}</text>')

    def mark(self, x, y, series):
        """A circle, square, triangle or diamond: series differ by more than colour."""
        r = 5
        shape = series % 4
        if shape == 0:
            body = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}"'
        elif shape == 1:
            body = f'<rect x="{x - r + 0.5:.1f}" y="{y - r + 0.5:.1f}" width="{2 * r - 1}" height="{2 * r - 1}"'
        else:
            points = [(0, -r), (r, r), (-r, r)] if shape == 2 else [(0, -r - 1), (r + 1, 0), (0, r + 1), (-r - 1, 0)]
            body = '<polygon points="' + ' '.join(f'{x + a:.1f},{y + b:.1f}' for a, b in points) + '"'
        self.parts.append(f'<g class="s{series}">{body} class="mark"/></g>')

    def heading(self, words):
        self.y += 16
        self.text(8, self.y, words, style='')
        self.y += 10

    def legend(self, names):
        """Names of the series, in as many lines as they need."""
        x = 14
        self.y += 12
        for i, name in enumerate(names):
            need = 22 + 7.6 * len(name)
            if x + need > WIDTH - 4:
                x = 14
                self.y += 20
            self.mark(x, self.y - 5, i)
            self.text(x + 10, self.y, name)
            x += need + 10
        self.y += 10

    def save(self, path):
        height = self.y + 8
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" height="{height:.0f}" '
                f'role="img" aria-label="{escape(self.title)}">')
        with open(path, 'w') as f:
            f.write('\n'.join([head, f'<title>{escape(self.title)}</title>', STYLE,
                               f'<rect width="{WIDTH}" height="{height:.0f}" class="back"/>'] + self.parts + ['</svg>', '']))


def ticks(low, high):
    """Powers of ten, with 2 and 5 between where there are few."""
    powers = [10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]

    def inside(values):
        return [t for t in values if low * 0.999 <= t <= high * 1.001]

    return inside(powers) if len(inside(powers)) > 2 else inside(t * f for t in powers for f in (1, 2, 5))


def place_labels(marks, labels, right):
    """Where names go beside their marks: (x, y, anchor) for each (px, py, words), right, left, above or
    below of it, where they hide no mark and no other name; None where there is no such place."""
    boxes = [(x - 6, y - 6, x + 6, y + 6) for x, y in marks]
    out = []
    for px, py, words in labels:
        w, best = 7 * len(words), None
        for rank, (dx, dy, anchor) in enumerate(((9, 5, 'start'), (-9, 5, 'end'), (0, -9, 'middle'), (0, 18, 'middle'), (8, -6, 'start'),
                                                 (8, 16, 'start'), (-8, -6, 'end'), (-8, 16, 'end'))):
            x, y = px + dx, py + dy
            left = x - {'start': 0, 'middle': w / 2, 'end': w}[anchor]
            box = (left, y - 11, left + w, y + 2)
            hits = sum(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in boxes)
            cost = (hits + 5 * (left < LEFT or left + w > right), rank)
            if best is None or cost < best[0]:
                best = cost, (x, y, anchor), box
        out.append(None if best[0][0] else best[1])
        if out[-1]:
            boxes.append(best[2])
    return out


def scatter(path, title, series, xlabel, ylabel, height=360):
    """Both axes logarithmic.  series: name -> [(x, y, words or None)]."""
    plot = Plot(title)
    plot.heading(ylabel)
    plot.legend(list(series))
    points = [p for s in series.values() for p in s]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    x0, x1, y0, y1 = min(xs) / 1.3, max(xs) * 1.3, min(ys) / 1.5, max(ys) * 1.5
    top, w = plot.y + 4, WIDTH - LEFT - RIGHT

    def at(x, y):
        return (LEFT + w * math.log(x / x0) / math.log(x1 / x0), top + height - height * math.log(y / y0) / math.log(y1 / y0))

    for t in ticks(y0, y1):
        y = at(x0, t)[1]
        plot.parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        plot.text(LEFT - 6, y + 5, short(t), 'end', 'soft')
    for t in ticks(x0, x1):
        x = at(t, y0)[0]
        plot.parts.append(f'<path class="grid" d="M{x:.1f} {top:.0f}V{top + height:.0f}"/>')
        plot.text(x, top + height + 18, short(t), 'middle', 'soft')
    for i, (name, rows) in reversed(list(enumerate(series.items()))):          # the first on top
        for x, y, _ in rows:
            plot.mark(*at(x, y), i)
    named = [(*at(x, y), words) for rows in series.values() for x, y, words in rows if words]
    places = place_labels([at(p[0], p[1]) for p in points], named, WIDTH - RIGHT)
    for (_, _, words), place in zip(named, places):
        if place:
            plot.text(place[0], place[1], words, place[2], 'soft')
    plot.text(LEFT + w / 2, top + height + 38, xlabel, 'middle')
    plot.y = top + height + 44
    plot.save(path)


def dots(path, title, rows, names, xlabel, one=None):
    """A line for each row with a mark for each series, on one logarithmic axis; `one` draws a
    line at that value.  rows: [(words, {name: value})]."""
    plot = Plot(title)
    plot.heading(xlabel)
    plot.legend(names)
    values = [v for _, r in rows for v in r.values()] + ([one] if one else [])
    x0, x1 = min(values) / 1.25, max(values) * 1.25
    left, step = 96, 26
    w, top = WIDTH - left - RIGHT, plot.y + 6
    bottom = top + step * len(rows)

    def at(x):
        return left + w * math.log(x / x0) / math.log(x1 / x0)

    for t in ticks(x0, x1):
        plot.parts.append(f'<path class="grid" d="M{at(t):.1f} {top:.0f}V{bottom:.0f}"/>')
        plot.text(at(t), bottom + 18, short(t), 'middle', 'soft')
    if one:
        plot.parts.append(f'<path class="grid" stroke-width="3" d="M{at(one):.1f} {top:.0f}V{bottom:.0f}"/>')
    for i, (words, row) in enumerate(rows):
        y = top + step * (i + 0.5)
        plot.text(left - 8, y + 5, words, 'end')
        plot.parts.append(f'<path class="grid" stroke-dasharray="2 4" d="M{left} {y:.1f}H{WIDTH - RIGHT}"/>')
        for name, v in reversed(list(row.items())):                     # the first on top
            k = names.index(name)
            plot.mark(at(v), y + 3 * (k - (len(names) - 1) / 2), k)     # equal ones stay visible
    plot.y = bottom + 24
    plot.save(path)


def curves(path, title, panels, xlabel, height=150):
    """Panels one below the other: [(name, {kind: [(x, kB)]})]."""
    plot = Plot(title)
    kinds = sorted({k for _, c in panels for k in c}, reverse=True)
    plot.legend(kinds)
    w = WIDTH - LEFT - RIGHT
    for name, kinds_of in panels:
        plot.heading(name)
        plot.y += 6
        top = plot.y
        xmax = max(x for c in kinds_of.values() for x, _ in c) or 1
        ymax = (max(y for c in kinds_of.values() for _, y in c) or 1) * 1.05
        for k in range(3):
            y = top + height - height * k / 2
            plot.parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
            plot.text(LEFT - 6, y + 5, f'{ymax * k / 2048:.1f} MB', 'end', 'soft')
            plot.text(LEFT + w * k / 2, top + height + 17, short(xmax * k / 2), ('start', 'middle', 'end')[k], 'soft')
        for kind, rows in kinds_of.items():
            points = ' '.join(f'{LEFT + w * x / xmax:.1f},{top + height - height * y / ymax:.1f}' for x, y in rows)
            plot.parts.append(f'<g class="s{kinds.index(kind)}"><polyline class="curve" points="{points}"/></g>')
        plot.y = top + height + 22
    plot.text(WIDTH / 2, plot.y + 14, xlabel, 'middle')
    plot.y += 20
    plot.save(path)


def shares(path, title, columns, names, ylabel, height=220):
    """Shares from 0 to 1 with their intervals, one column beside the other: [(words, {name: (value, low, high)})]."""
    plot = Plot(title)
    plot.heading(ylabel)
    plot.legend(names)
    top, w = plot.y + 6, WIDTH - LEFT - RIGHT

    def at(share):
        return top + height * (1 - share)

    for k in range(5):
        plot.parts.append(f'<path class="grid" d="M{LEFT} {at(k / 4):.1f}H{WIDTH - RIGHT}"/>')
        plot.text(LEFT - 6, at(k / 4) + 5, f'{25 * k} %', 'end', 'soft')
    for i, (words, values) in enumerate(columns):
        middle = LEFT + w * (i + 0.5) / len(columns)
        plot.text(middle, top + height + 18, words, 'middle', 'soft')
        for k, name in enumerate(names):
            if name not in values:
                continue
            value, low, high = values[name]
            x = middle + 16 * (k - (len(names) - 1) / 2)
            plot.parts.append(f'<g class="s{k}"><path class="curve" d="M{x:.1f} {at(low):.1f}V{at(high):.1f}"/></g>')
            plot.mark(x, at(value), k)
    plot.y = top + height + 24
    plot.save(path)


def read(path):
    with open(path) as f:
        rows = [tuple(map(float, line.split('\t'))) for line in f if line.strip()]
    step = max(1, len(rows) // 400)
    return rows[::step] + rows[-1:]


def main():
    names = {}
    for path in sys.argv[2:]:
        name, kind = os.path.basename(path).split('.')[:2]
        names.setdefault(name, {})[kind] = read(path)
    curves(sys.argv[1], 'Memory over requests', sorted(names.items()), 'requests')


if __name__ == '__main__':
    main()
