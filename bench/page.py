#!/usr/bin/env python3
"""
page.py - docs/benchmarks.md and its plots, from bench/results/*.json, and page_strangers.py from what is beside that folder.

    bench/page.py [RESULTS [DOCS]]

All of the page comes from the rows, `Where plumb is worse` included: nothing in it is written
by hand but the words around the figures.  The same rows give the same page, byte by byte.  A figure that is
not there is shown as such, and never guessed.
"""

import json
import math
import os
import re
import sys

import page_strangers
import plot
from common import RESULTS, TOP

RIVALS = {'clang': 'Clang analyzer', 'gcc': 'gcc -fanalyzer', 'cppcheck': 'cppcheck'}
STATIC = {'plumb': 'plumb', **RIVALS}
WATCH = {'plumb': 'plumb watch', 'jemalloc': 'jemalloc', 'gperftools': 'gperftools', 'lsan': 'LeakSanitizer',
         'heaptrack': 'heaptrack', 'memcheck': 'memcheck'}
NONE = '–'                      # not measured


class Data:
    """The rows of all parts."""

    def __init__(self, folder):
        self.machines, self.rows = [], {}
        for part in ('static', 'fix', 'finds', 'watch', 'run'):
            path = os.path.join(folder, part + '.json')
            self.rows[part] = []
            if os.path.exists(path):
                with open(path) as f:
                    data = json.load(f)
                self.rows[part] = data['rows']
                if data['machine'] not in self.machines:
                    self.machines.append(data['machine'])

    def of(self, part, kind):
        return [r for r in self.rows[part] if r['kind'] == kind]

    def by_program(self, part, kind):
        """program -> tool -> row"""
        out = {}
        for r in self.of(part, kind):
            out.setdefault(r['program'], {})[r['tool']] = r
        return out

    def everything(self):
        return [r for rows in self.rows.values() for r in rows]


#
# Words
#

def table(head, rows, numbers=True):
    """A table; all columns but the first are numbers, or none is."""
    out = ['| ' + ' | '.join(head) + ' |', '|' + '|'.join('--:' if i and numbers else '---' for i in range(len(head))) + '|']
    return out + ['| ' + ' | '.join(str(c) for c in row) + ' |' for row in rows] + ['']


def times(x):
    return f'{x:.2f}' if x < 10 else f'{x:.0f}'


def geometric(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def factor(x):
    return f'{x:.1f}' if x < 10 else f'{x:.0f}'


def megabytes(kb):
    return f'{kb / 1024:.0f}'


def plural(n, word):
    return f'{n} {word}' if n == 1 else f'{n} {word}s'


def listed(words):
    words = list(words)
    return words[0] if len(words) == 1 else ', '.join(words[:-1]) + ' and ' + words[-1]


def size_order(programs):
    """Programs by their size."""
    return sorted(programs.items(), key=lambda p: (min(r['lines'] for r in p[1].values()), p[0]))


#
# Static
#

def ratio_cell(row):
    """A ratio, with what limits did to it."""
    if row is None:
        return NONE
    if row['failed'] and row['tool'] == 'plumb':
        return f'{plural(row["failed"], "unit")} failed'
    text = times(row['ratio'])
    if row['stopped']:
        text = '≥ ' + text
    if row.get('partial'):
        text += ' (partial)'
    if row['reached'] < row['units']:
        text += f' ({row["reached"]}/{row["units"]})'
    return text


def findings_cell(row):
    if row is None:
        return NONE
    v = row['verdicts']
    if not row['findings'] or not v:
        return str(row['findings'])
    parts = [f'{v[k]} {words}' for k, words in (('true', 'true'), ('false', 'false'), ('outside', 'outside'),
                                                 ('not_judged', 'not judged')) if v[k]]
    return f'{row["findings"]}: ' + ', '.join(parts)


def static_section(data, folder):
    programs = size_order(data.by_program('static', 'check'))
    out = ['## Finding leaks in the source', '']
    if not programs:
        return out + ['Not measured.', '']
    tools = list(STATIC)
    out += ['CPU time, as a multiple of `clang -O2 -c` of the same units, measured in turns. All start from the '
            'source, plumb without its '
            'cache. `≥`: units were stopped at a limit of time or memory. `(a/b)`: time was up after a of b units, '
            'and the ratio is of '
            'those. `(partial)`: plumb gave up on the whole program and looked within functions.', '']
    rows = [[name, f'{next(iter(r.values()))["lines"] / 1000:.0f}'] + [ratio_cell(r.get(t)) for t in tools] for name, r in programs]
    both = {t: [r[t]['ratio'] for _, r in programs if t in r and not r[t]['failed']] for t in tools}
    rows.append(['geometric mean', ''] + [times(geometric(both[t])) if both[t] else NONE for t in tools])
    out += table(['program', 'kLOC'] + list(STATIC.values()), rows)
    out += limit_words(programs)
    out += speed_plot(programs, folder)
    out += ['Memory of the largest process, in MB. plumb has the whole program in one process, the others a unit.', '']
    out += table(['program'] + list(STATIC.values()),
                 [[name] + [megabytes(r[t]['peak_kb']) if t in r else NONE for t in tools] for name, r in programs])
    out += ['Leaks reported, and what people said of them after reading the source (`bench/verdicts/`). Verdicts '
            'were given to what plumb '
            'reported at one time or another; reports of others are matched by file and line of the allocation, and '
            'those at other '
            'lines are not judged. cppcheck names the line where memory is lost, and so is rarely matched. '
            'Where there is one number, the program has no verdicts or there is nothing to judge.', '']
    out += table(['program'] + list(STATIC.values()), [[name] + [findings_cell(r.get(t)) for t in tools] for name, r in programs])
    skipped = [f'{name} {r["plumb"]["skipped"][0]} of {r["plumb"]["skipped"][1]}' for name, r in programs
               if r.get('plumb', {}).get('skipped')]
    if skipped:
        out += ['Allocations that plumb did not judge, because they flow too far (`--slice-limit`), or under too many conditions, or have too many paths: ' + ', '.join(skipped) + '.', '']
    for r in data.of('static', 'saber'):
        out += [f'SVF\'s saber ({r["version"] or "npm package svf-lib"}) is not measured: {r["why"]}.', '']
    return out


def limit_words(programs):
    """What the limit of time cuts off."""
    limits = {r['limit'] for _, rows in programs for r in rows.values() if r.get('limit')}
    if not limits:
        return []
    words = []
    for tool, name in RIVALS.items():
        rows = [(r[tool], max(x['base_cpu'] for x in r.values())) for _, r in programs if tool in r and r[tool].get('limit')]
        if rows:
            words.append(f'{name} {sum(r["ratio"] * base for r, base in rows) / 60:.0f} minutes for {plural(len(rows), "program")}')
    return [f'After {listed(str(n) for n in sorted(limits))} s of CPU time for a program no further unit is begun, so that all of this can '
            f'be repeated in an hour. For all units, at these ratios, it would be {listed(words)}.', '']


def speed_plot(programs, folder):
    series = {}
    for name, r in programs:
        for t in STATIC:
            if t in r and r[t]['cpu'] and r[t]['lines_reached'] and not (t == 'plumb' and r[t]['failed']):
                speed = r[t]['lines_reached'] / 1000 / r[t]['cpu']
                series.setdefault(STATIC[t], []).append((r[t]['lines'] / 1000, speed, name if t == 'plumb' else None))
    series = {n: series[n] for n in STATIC.values() if n in series}
    plot.scatter(os.path.join(folder, 'speed.svg'), 'Speed of static analysis against program size', series, 'kLOC of the program',
                 'kLOC for a second of CPU time')
    return ['How cost grows with size (a level row of marks would be linear cost):', '',
            '![Speed against program size](benchmarks/speed.svg)', '']


#
# Fix
#

def general(reason):
    """A reason without the names in it, so that it can be counted."""
    reason = re.sub(r"`[^`']*[`']|'[^']*'|\"[^\"]*\"", 'X', reason)
    reason = re.sub(r'\b\w+\(\)', 'X()', reason)
    reason = re.sub(r'\bmacro \w+', 'macro X', reason)
    reason = re.sub(r'\S*\.[ch]:\d+|\b\d+\b', 'N', reason)
    return reason.split(':')[0].strip()


def fix_section(data):
    rows = sorted(data.of('fix', 'fix'), key=lambda r: (r['lines'], r['program']))
    out = ['## Fixing leaks', '']
    if not rows:
        return out + ['Not measured.', '']
    out += ['`plumb fix` on the same programs. A fix is a patch that was compiled and analysed again by both '
            'engines. Time is that of '
            '`plumb fix`, proof included, as a multiple of `plumb check` on the same program just before. *true, '
            'false*: what people '
            'said of the leaks that were patched, where they did; a patch for a false alarm is one that nobody needs.', '']
    cells = []
    for r in rows:
        v = r['fixed_verdicts']
        if r['failed'] or r['stopped']:
            cells.append([r['program'], 'not finished', '', '', '', '', ''])
            continue
        cells.append([r['program'], r['found'], r['fixed'], r['refused'], f'{v["true"]}, {v["false"]}' if v else '–',
                      f'{r["cpu"]:.1f} s', times(r['ratio'])])
    done = [r for r in rows if not (r['failed'] or r['stopped'])]
    if done:
        cells.append(['all', sum(r['found'] for r in done), sum(r['fixed'] for r in done), sum(r['refused'] for r in done), '', '',
                      times(geometric([r['ratio'] for r in done]))])
    out += table(['program', 'leaks', 'fixed', 'refused', 'true, false', 'CPU time', 'of check'], cells)
    missing = sorted(set(data.by_program('static', 'check')) - {r['program'] for r in rows})
    if missing:
        out += [f'Not measured: {listed(missing)}.', '']
    reasons = {}
    for r in done:
        for why, n in r['reasons'].items():
            reasons[general(why)] = reasons.get(general(why), 0) + n
    if reasons:
        ranked = sorted(reasons.items(), key=lambda x: (-x[1], x[0]))
        out += ['Why the others were refused (X stands for a name, N for a number):', '']
        out += table(['reason', 'leaks'], [[why, n] for why, n in ranked[:15]] +
                     ([['other reasons', sum(n for _, n in ranked[15:])]] if ranked[15:] else []))
    return out


#
# Watch
#

def right_answer(row):
    t = row['truth']
    if t['LEAK']:
        return 'leak'
    return 'bloat' if t['BLOAT'] else 'no leak'


def find_cell(row):
    if row is None:
        return NONE
    wanted = row['truth']['LEAK'] + row['truth']['BLOAT']
    words = []
    if wanted:
        words.append('found' if len(row['found']) == len(wanted) else 'missed')
    elif not row['false']:
        words.append('right')
    if row['false']:
        words.append('false alarm')
    return ', '.join(words)


def is_right(row):
    return find_cell(row) in ('found', 'right')


def finds_section(data):
    programs = data.by_program('finds', 'finds')
    out = ['## Finding leaks in a running program', '']
    if not programs:
        return out + ['Not measured.', '']
    out += ['The programs of `bench/leaks/`, each with its right answer; *found* means that the report names the '
            'function that allocates '
            'what leaks, *false alarm* that it names one whose memory is in use. Each tool is asked for what it '
            'calls leaks. heaptrack and '
            'jemalloc list all that is live at the end, which finds much and tells leaks from other memory only by '
            'their size.', '']
    tools = [t for t in WATCH if any(t in r for r in programs.values())]
    rows = [[name.replace('_', ' '), right_answer(next(iter(r.values())))] + [find_cell(r.get(t)) for t in tools]
            for name, r in sorted(programs.items())]
    rows.append(['right answers', len(programs)] + [sum(is_right(r[t]) for r in programs.values() if t in r) for t in tools])
    return out + table(['program', 'truth'] + [WATCH[t] for t in tools], rows, False)


def cost_cell(row, field):
    if row and row.get('failed'):
        return 'does not start'
    if row is None or row[field] is None:
        return NONE
    return ('≥ ' if row.get('stopped') else '') + times(row[field])


def watch_section(data, folder):
    programs = data.by_program('watch', 'cost')
    out = ['## What watching costs', '']
    if not programs:
        return out + ['Not measured.', '']
    tools = [t for t in WATCH if any(t in r for r in programs.values())]
    out += ['CPU time as a multiple of the same program with glibc\'s malloc, in interleaved runs, medians. `≥`: stopped after '
            'a minute. All but sqlite3 and perl do little else than allocate; those two are '
            'Debian\'s, into which LeakSanitizer is not built. '
            'What plumb, heaptrack and jemalloc need to make a report afterwards is left out; the others make theirs as the '
            'program ends.', '']
    for what, field in (('CPU time', 'ratio'), ('Peak memory of the largest process', 'memory_ratio')):
        if field == 'memory_ratio':
            out += [what + ', likewise; for heaptrack that is the one beside the program, which reads what it writes.', '']
        rows = [[name] + [cost_cell(r.get(t), field) for t in tools] for name, r in programs.items()]
        rows.append(['geometric mean'] + [times(geometric([r[t][field] for r in programs.values() if t in r])) for t in tools])
        out += table(['program'] + [WATCH[t] for t in tools], rows)
        if field == 'ratio':
            plot.dots(os.path.join(folder, 'watch.svg'), 'CPU time of watched programs', [
                (name, {WATCH[t]: r[t]['ratio'] for t in tools if t in r}) for name, r in programs.items()],
                [WATCH[t] for t in tools], 'CPU time, as a multiple of glibc', 1)
            out += ['![CPU time of watched programs](benchmarks/watch.svg)', '']
    return out + server_tables(data)


def server_tables(data):
    servers = data.by_program('watch', 'server')
    tools = [t for t in WATCH if any(t in r for r in servers.values())]
    out = []
    if not servers:
        return out
    out += ['Servers under load: CPU time for a request, as a multiple of the same server with glibc\'s malloc; plain and watched ones '
            'run at the same time. *noise* is a second plain server against the first. LeakSanitizer would have to be built in. '
            'redis is Debian\'s, with glibc\'s malloc in front of the jemalloc that it brings.', '']
    out += table(['server'] + [WATCH[t] for t in tools] + ['noise'],
                 [[name] + [cost_cell(r.get(t), 'ratio') for t in tools] + [times(next(iter(r.values()))['noise'])]
                  for name, r in servers.items()])
    out += ['Peak memory of the largest process, likewise; not of tools that are so slow that they got fewer requests:', '']
    some = [t for t in tools if any(t in r and r[t]['memory_ratio'] for r in servers.values())]
    return out + table(['server'] + [WATCH[t] for t in some],
                       [[name] + [cost_cell(r.get(t), 'memory_ratio') for t in some] for name, r in servers.items()])


#
# Run
#

def run_section(data, folder):
    rows, costs = data.of('run', 'memory'), data.of('run', 'cost')
    out = ['## Running in spite of leaks', '']
    if not rows and not costs:
        return out + ['Not measured.', '']
    if rows:
        out += [f'Servers that leak (`examples/leaky/`), {rows[0]["requests"]:,} requests each, plainly and under '
                f'`plumb run` with bounds from '
                'three short training runs.', '']
        out += table(['server', 'plain: first, last', 'cyclic: first, last', 'answers'],
                     [[r['program']] + [f'{r[k][0][1] / 1024:.1f}, {r[k][-1][1] / 1024:.1f} MB' for k in ('plain', 'cyclic')] +
                      ['the same' if r['same_answers'] else 'DIFFER'] for r in rows])
        plot.curves(os.path.join(folder, 'run.svg'), 'Memory of leaking servers over requests',
                    [(r['program'], {'plain': r['plain'], 'cyclic': r['cyclic']}) for r in rows], 'requests')
        out += ['![Memory over requests](benchmarks/run.svg)', '']
    for row in costs:
        out += ['Cost, in interleaved runs of CPU time (`bench/train_cost.sh`):', '']
        out += table(['what', 'ratio'], [[line['what'], times(line['ratio'])] for line in row['lines']])
    return out


#
# Where plumb is worse
#

def worse_static(data):
    programs = data.by_program('static', 'check')
    for field, word in (('cpu', 'takes more CPU time than'), ('peak_kb', 'needs more memory than')):
        for tool, name in RIVALS.items():
            both = {p: r['plumb'][field] / r[tool][field] for p, r in programs.items() if 'plumb' in r and tool in r
                    and r[tool][field] and r[tool]['reached'] == r[tool]['units']
                    and not r[tool]['stopped'] and not r['plumb']['failed']}
            lost = {p: x for p, x in both.items() if x > 1}
            if lost:
                most = max(lost, key=lambda p: (lost[p], p))
                yield (f'`plumb check` {word} {name} on {len(lost)} of the {plural(len(both), "program")} that both '
                       f'finished: '
                       f'{factor(geometric(list(lost.values())))} times on the mean of those, most on {most} '
                       f'({factor(lost[most])} times).')
    judged = [(p, r['plumb']) for p, r in sorted(programs.items()) if 'plumb' in r and r['plumb']['verdicts']]
    wrong = sum(r['verdicts']['false'] for _, r in judged)
    right = sum(r['verdicts']['true'] for _, r in judged)
    if wrong:
        yield (f'Of the {wrong + right} reports of `plumb check` with a verdict, {wrong} are false alarms '
               f'({100 * wrong / (wrong + right):.0f} %): ' +
               ', '.join(f'{p} {r["verdicts"]["false"]}' for p, r in judged if r['verdicts']['false']) + '.')
    lost = [(p, r['verdicts']['known_true'] - r['verdicts']['true']) for p, r in judged]
    if sum(n for _, n in lost if n > 0):
        yield ('Leaks with the verdict *true* that this `plumb check` does not report: ' +
               ', '.join(f'{p} {n}' for p, n in lost if n > 0) + '.')
    for tool, name in RIVALS.items():
        if tool == 'cppcheck':                  # names other lines than plumb does
            continue
        only = [(p, len(set(r[tool]['places']) - set(r['plumb']['places']))) for p, r in sorted(programs.items())
                if 'plumb' in r and tool in r]
        if sum(n for _, n in only):
            yield (f'{name} reports leaks at {sum(n for _, n in only)} places where `plumb check` reports none '
                   f'(true or false, nobody has judged them '
                   'unless the table says so): ' + ', '.join(f'{p} {n}' for p, n in only if n) + '.')
    unread = [(p, r['plumb']['skipped']) for p, r in sorted(programs.items()) if r.get('plumb', {}).get('skipped')]
    if unread:
        p, (n, of) = max(unread, key=lambda u: (u[1][0] / u[1][1], u[0]))
        yield (f'In {plural(len(unread), "program")} `plumb check` leaves allocations unjudged because they flow '
               f'too far; most in {p}: {n} of {of}.')
    partial = [p for p, r in sorted(programs.items()) if r.get('plumb', {}).get('partial')]
    if partial:
        yield (f'On {listed(partial)} the value-flow engine of `plumb check` gave up on the whole program, and looked for leaks '
               'within single functions only.')
    broken = [p for p, r in sorted(programs.items()) if 'plumb' in r and (r['plumb']['failed'] or r['plumb']['stopped'])]
    if broken:
        yield f'`plumb check` did not finish, or could not read every unit of: {", ".join(broken)}.'


def worse_fix(data):
    rows = [r for r in data.of('fix', 'fix') if not (r['failed'] or r['stopped'])]
    refused, found = sum(r['refused'] for r in rows), sum(r['found'] for r in rows)
    if refused:
        yield f'`plumb fix` leaves {refused} of {plural(found, "leak")} to people ({100 * refused / found:.0f} %).'
    false = sum((r['fixed_verdicts'] or {}).get('false', 0) for r in rows)
    if false:
        yield f'{plural(false, "patch").replace("patchs", "patches")} of `plumb fix` are for false alarms.'
    broken = [r['program'] for r in data.of('fix', 'fix') if r['failed'] or r['stopped']]
    if broken:
        yield f'`plumb fix` did not finish, or could not read every unit of: {", ".join(sorted(broken))}.'


def worse_watch(data):
    programs = data.by_program('finds', 'finds')
    for name, r in sorted(programs.items()):
        if 'plumb' not in r or is_right(r['plumb']):
            continue
        others = [WATCH[t] for t in WATCH if t != 'plumb' and t in r and is_right(r[t])]
        yield (f'`plumb watch` gives a wrong answer for *{name.replace("_", " ")}* ({find_cell(r["plumb"])}); right '
               f'is ' +
               (listed(others) if others else 'none of the others') + '.')
    costs = {**data.by_program('watch', 'cost'), **{'the server ' + p: r for p, r in data.by_program('watch', 'server').items()}}
    for field, word in (('ratio', 'CPU time'), ('memory_ratio', 'memory')):
        for tool, name in WATCH.items():
            both = {p: r['plumb'][field] / r[tool][field] for p, r in costs.items() if 'plumb' in r and tool in r
                    and r[tool][field] and r['plumb'][field]}
            lost = {p: x for p, x in both.items() if x > 1.02}          # less is noise
            if tool != 'plumb' and lost:
                most = max(lost, key=lambda p: (lost[p], p))
                yield (f'`plumb watch` costs more {word} than {name} on {len(lost)} of '
                       f'{plural(len(both), "program")}, most on {most} '
                       f'({factor(lost[most])} times).')
        slow = {p: r['plumb'][field] for p, r in costs.items() if 'plumb' in r and (r['plumb'][field] or 0) > 1.2}
        if slow:
            most = max(slow, key=lambda p: (slow[p], p))
            yield (f'Against glibc alone, `plumb watch` costs more than a fifth of {word} on {len(slow)} of '
                   f'{plural(len(costs), "program")}, most on {most} ({times(slow[most])} times).')


def worse_run(data):
    for row in data.of('run', 'memory'):
        if not row['same_answers']:
            yield f'Under `plumb run` the server {row["program"]} gave other answers.'
        if row['cyclic'][-1][1] > 1.05 * row['cyclic'][0][1]:
            yield (f'Under `plumb run` the memory of {row["program"]} still grew, by '
                   f'{100 * (row["cyclic"][-1][1] / row["cyclic"][0][1] - 1):.0f} %.')
        if row['cyclic'][0][1] > 1.05 * row['plain'][0][1]:
            yield (f'At the start, {row["program"]} takes {row["cyclic"][0][1] / row["plain"][0][1]:.2f} times the '
                   f'memory under `plumb run` that it takes plainly.')
    for row in data.of('run', 'cost'):
        for line in row['lines']:
            if line['ratio'] > 1.02:
                yield f'{line["what"][0].upper() + line["what"][1:]}: {times(line["ratio"])} times the cost.'


def worse_section(data):
    items = [text for part in (worse_static, worse_fix, worse_watch, worse_run) for text in part(data)]
    out = ['## Where plumb is worse', '',
           'Collected from the figures by `bench/page.py`, whenever plumb is behind another tool, or behind what '
           'one would wish.', '']
    return out + [f'- {text}' for text in items] + ([] if items else ['Nothing of what was measured.']) + ['']


#
# The page
#

def machine_section(data):
    out = ['## How it was measured', '']
    for m in data.machines:
        out += [f'Machine: {m["cpu"]}, {plural(m["cores"], "core")}, {m["memory_gib"]} GiB; {m["system"]}, kernel '
                f'{m["kernel"]}.']
    rows = data.everything()
    loads = [r['load'] for r in rows]
    if rows:
        dates = sorted({r['measured'] for r in rows})
        out += [f'Measured {dates[0]}' + (f' to {dates[-1]}' if len(dates) > 1 else '') +
                f'; load of the machine meanwhile {min(loads):.1f} to {max(loads):.1f} (what others did on it, too).',
                'Times are user + system CPU time of all processes; ratios are between medians of runs in turns, so '
                'that a slow minute hits both '
                'sides. Trust the ratios, not the seconds.']
    out += ['']
    seen = {}
    for r in rows:
        if r.get('command'):
            what = {'check': r['tool'], 'fix': 'plumb fix'}.get(r['kind'], r['tool'])
            seen.setdefault((what, r['version'], r['command']), r.get('runs'))
    out += table(['tool', 'version', 'command'], [[t, v or '', f'`{c}`'] for (t, v, c) in sorted(seen, key=lambda k: tuple(map(str, k)))],
                 False)
    sources = sorted({r['source'] for part in ('static', 'fix') for r in data.rows[part] if r.get('source')})
    if sources:
        out += ['Debian source packages: ' + ', '.join(sources) + '.', '']
    out += ['To repeat: `make bench` (an hour), `make bench-quick` (eight minutes); `bench/README.md` tells more.', '']
    return out


def write(results=RESULTS, docs=os.path.join(TOP, 'docs')):
    folder = os.path.join(docs, 'benchmarks')
    os.makedirs(folder, exist_ok=True)
    data = Data(results)
    lines = ['<!-- made by bench/page.py from bench/contact, bench/history and bench/results: do not edit -->', '# Side by side', '',
             'plumb against what people would use instead, on programs that nobody here wrote. What plumb does '
             'worse has '
             '[a section of its own](#where-plumb-is-worse). In all tables – stands for what was not measured.', '']
    lines += page_strangers.section(os.path.dirname(os.path.abspath(results)), folder)
    lines += static_section(data, folder) + fix_section(data) + finds_section(data) + watch_section(data, folder)
    lines += run_section(data, folder) + worse_section(data) + machine_section(data)
    path = os.path.join(docs, 'benchmarks.md')
    with open(path + '.new', 'w') as f:
        f.write('\n'.join(lines))
    os.rename(path + '.new', path)


if __name__ == '__main__':
    write(*sys.argv[1:3])
