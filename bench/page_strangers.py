"""
page_strangers.py - the first part of docs/benchmarks.md: plumb on programs that it had never met.

From what is committed alone: contact/ROUND.* (strangers.py), history/*.json (history.py), suites/*.json (suites.py).
"""

import glob
import json
import os

import plot
import strangers

NAMES = {'high': 'true, of high confidence', 'shown': 'true, of all shown', 'fixed': 'true ones fixed', 'recall': 'old leaks found'}


def table(head, rows):
    out = ['| ' + ' | '.join(head) + ' |', '|' + '|'.join('--:' if i else '---' for i in range(len(head))) + '|']
    return out + ['| ' + ' | '.join(str(c) for c in row) + ' |' for row in rows] + ['']


def wilson(k, n, z=1.645):
    p, t = k / n, z * z / n
    half = z * (p * (1 - p) / n + t / n / 4) ** 0.5
    return p, (p + t / 2 - half) / (1 + t), (p + t / 2 + half) / (1 + t)


def contact_section(folder):
    rounds = [strangers.figures(name, folder) for name in strangers.round_names(folder)]
    out = ['### First contact', '']
    if not rounds:
        return out + ['Not measured.', ''], rounds
    out += ['Programs drawn by chance from the C packages of Debian, never used before and never again. Findings are judged by reading '
            'the source before anything in plumb is changed because of them. *High* and *shown*: the share of true ones among findings of high '
            'confidence, and of high or medium; leaks that happen only once, or only when memory is short, do not count as true there. '
            'In brackets 90 % of what chance gives when whole programs are drawn again. *Fixed*: true ones with a patch that was judged right.', '']
    rows = []
    for f in rounds:
        right, true = f['fixed']
        cell = lambda conf, minor: strangers.interval_text(f['precision']['new', conf, minor])
        rows.append([f['round'], f['meta']['new'], len(f['meta']['programs']), f'{f["lines"] / 1000:.0f}', cell('high', False), cell(None, False),
                     cell(None, True), f'{1e5 * f["true"]["new"] / max(f["lines"], 1):.1f}', f'{right} of {true}'])
    out += table(['round', 'plumb', 'programs', 'kLOC', 'high', 'shown', 'shown, with minor ones', 'true ones on 100 kLOC', 'fixed'], rows)
    f = rounds[-1]
    if f['shapes']:
        out += ['What misled it in the last round:', '']
        out += table(['shape', 'false findings'], f['shapes'].most_common(12))
    return out, rounds


def read_history(folder):
    out = []
    for path in sorted(glob.glob(os.path.join(folder, '*.json'))):
        saved = json.load(open(path))
        out += [(os.path.basename(path)[:-5], half, saved[half]) for half in ('seen', 'unseen') if half in saved and saved[half]['all']]
    return out


def share_text(part, n):
    low, high = part['interval']
    return f'{part["n"]} ({100 * part["n"] / n:.0f} %; {100 * low:.0f} to {100 * high:.0f})'


def history_section(folder):
    saved = read_history(folder)
    out = ['### Leaks that projects have fixed', '']
    if not saved:
        return out + ['Not measured.', ''], saved
    out += ['Each is a commit of a project that fixes one leak. plumb must report that leak in the version before, as one unit and in the whole '
            'program, and must not in the version after. One half of the projects is there to work with (*seen*), the other is only counted.', '']
    rows = [[name, s['plumb'], half, s['all']['records']] + [share_text(s['all'][m][k], s['all']['records']) for m in ('unit', 'whole')
                                                             for k in ('found', 'still')] for name, half, s in saved]
    return out + table(['run', 'plumb', 'half', 'leaks', 'unit: found', 'still reported', 'whole: found', 'still reported'], rows), saved


def suites_section(folder):
    rows = [json.load(open(p)) for p in sorted(glob.glob(os.path.join(folder, '*.json')))]
    out = ['### Test suites of others', '']
    if not rows:
        return out + ['Not measured.', '']
    share = lambda k, n: f'{100 * k / n:.0f} %' if n else '–'
    out += ['What they expect a tool to find, leaks, double frees and uses after a free. *Missed* has in brackets what plumb does not mean to find '
            '(objects that a global still holds when the program ends, Windows); `bench/suites/causes.tsv` has a cause for each.', '']
    return out + table(['suite', 'cases', 'found', 'missed', 'false', 'recall', 'precision', 'plumb'],
                       [[r['suite'], r['cases'], r['found'], f'{r["missed"]} ({r["missed_out_of_scope"]})', r['false'],
                         share(r['found'], r['cases'] - r['missed_out_of_scope']), share(r['found'], r['found'] + r['false']), r['plumb']]
                        for r in rows])


def picture(rounds, saved, folder):
    columns = []
    unseen = {name: s for name, half, s in saved if half == 'unseen'}
    for f in rounds:
        values = {NAMES[k]: f['precision']['new', conf, False] for k, conf in (('high', 'high'), ('shown', None))
                  if f['precision']['new', conf, False]}
        if f['fixed'][1]:
            values[NAMES['fixed']] = wilson(*f['fixed'])
        s = unseen.get(f['round'])
        if s:
            part = s['all']['whole']['found']
            values[NAMES['recall']] = (part['n'] / s['all']['records'], *part['interval'])
        columns.append((f'round {f["round"]}', values))
    if not columns:
        return []
    plot.shares(os.path.join(folder, 'strangers.svg'), 'plumb on strangers, over rounds', columns, list(NAMES.values()), 'share, with interval')
    return ['![plumb on strangers, over rounds](benchmarks/strangers.svg)', '']


def section(bench, folder):
    contact, rounds = contact_section(os.path.join(bench, 'contact'))
    history, saved = history_section(os.path.join(bench, 'history'))
    return (['## On programs that it had never met', ''] + picture(rounds, saved, folder) + contact + history
            + suites_section(os.path.join(bench, 'suites'))
            + ['## On the programs that it was developed with', '', 'All that follows is about programs that plumb has been tried with '
               'again and again: it guards against steps back, and says little about yours.', ''])
