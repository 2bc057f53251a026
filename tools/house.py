#!/usr/bin/env python3
"""
house.py FILE... - what a reader stumbles over, one line for each place: `number what file:line name`

    lines       a function of more than 80 lines
    parameters  a function of more than six
    operands    a condition of more than five operands of && and ||
    nested      a ?: inside another, without a line of its own for each
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutate           # noqa: E402  its lexer

PAIRS_OPEN, PAIRS_CLOSE = ('(', '[', '{'), (')', ']', '}')


def line_of(text, token):
    return text.count('\n', 0, token.at) + 1


def functions(tokens, pair):
    """(index of the name, of the first parameter's bracket, of the body's)."""
    for first, _ in mutate.bodies(tokens, pair):
        i = pair.get(first - 2)
        if i and tokens[i - 1].kind == 'name':
            yield i - 1, i, first - 1


def count_parameters(tokens, pair, i):
    n, j = 1, i + 1
    while j < pair[i]:
        n += tokens[j].text == ','
        j = pair[j] + 1 if tokens[j].text in mutate.PAIRS and j in pair else j + 1
    return n


def conditions(tokens, pair, first, last):
    """(index, operands) of each expression that has && or ||, from one delimiter to the next."""
    depth_of = []
    for i in range(first, last):
        t = tokens[i].text
        if t in PAIRS_OPEN:
            depth_of.append([i, 0])
        elif t in PAIRS_CLOSE and depth_of:
            at, n = depth_of.pop()
            is_call = tokens[at - 1].kind == 'name' and tokens[at - 1].text not in ('if', 'while', 'for', 'return', 'switch')
            if depth_of and not is_call and t == ')':
                depth_of[-1][1] += n
            elif n:
                yield at, n + 1
            if t == ')' and tokens[at - 1].text in ('if', 'while', 'for'):
                if depth_of:
                    depth_of[-1][1] -= n
                if n:
                    yield at, n + 1
        elif t in ('&&', '||') and depth_of:
            depth_of[-1][1] += 1
        elif t in (';', ',', '?', ':') and depth_of:
            if depth_of[-1][1]:
                yield i, depth_of[-1][1] + 1
            depth_of[-1][1] = 0


def nested(tokens, first, last):
    """Places where a ?: stands inside a ?: of the same statement."""
    open_ = 0
    for i in range(first, last):
        t = tokens[i].text
        if t == '?':
            open_ += 1
            if open_ > 1:
                yield i
        elif t in (';', '{', '}'):
            open_ = 0


def look_at(path):
    text = open(path).read()
    tokens = mutate.lex(text)
    pair = mutate.partners(tokens)
    for name, params, body in functions(tokens, pair):
        lines = line_of(text, tokens[pair[body]]) - line_of(text, tokens[name])
        where = f'{path}:{line_of(text, tokens[name])} {tokens[name].text}'
        if lines > 80:
            print(lines, 'lines', where)
        n = count_parameters(tokens, pair, params)
        if n > 6:
            print(n, 'parameters', where)
        for i, n in conditions(tokens, pair, body, pair[body] + 1):
            if n > 5:
                print(n, 'operands', f'{path}:{line_of(text, tokens[i])} {tokens[name].text}')
        for i in nested(tokens, body, pair[body]):
            print(2, 'nested', f'{path}:{line_of(text, tokens[i])} {tokens[name].text}')


for p in sys.argv[1:]:
    look_at(p)
