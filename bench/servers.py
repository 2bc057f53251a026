#!/usr/bin/env python3
"""
servers.py - CPU time of servers for a request, watched and plainly.

    servers.py LIBRARY BURSTS [redis|nginx|memcached]...

Of each server several instances run at once: plain, watched (watch.py has more ways to watch
one), and plain once more, which shows how much of a difference is noise.  A client loads them in
turns, in bursts of about a second, so that a slow minute of the machine hits all of them.  What
counts is the CPU time of the server, and of what the tool starts beside it, for a request, which
its throughput hangs on: of a round of bursts the ratio of the watched one to the mean of the plain
ones, of the rounds the median.  nginx has no master process: some tools see only the process that
they start.

redis brings jemalloc; as the others use malloc of glibc, it is compared with that, too
("redis glibc": libc.so.6 preloaded, which makes its malloc the first one).

Prints "NAME PLAIN WATCHED RATIO NOISE LEAST SPEED", in ns; LEAST is the ratio of the best
bursts, which a busy machine disturbs least, SPEED that of the time that the client waits for a
request: its throughput, where the machine is quiet.  Ports are on the loopback interface.
"""
import glob
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

NGINX = '''daemon off; master_process off; worker_processes 1; pid {d}/pid; error_log {d}/error.log; user root;
events {{ worker_connections 200; }}
http {{ access_log off; client_body_temp_path {d}; proxy_temp_path {d};
fastcgi_temp_path {d}; uwsgi_temp_path {d}; scgi_temp_path {d};
gzip on; gzip_types text/plain; gzip_min_length 1;
server {{ listen 127.0.0.1:{port}; root {d}; }} }}
'''
REDIS = 20000           # requests of a kind
MEMCACHED = 200         # rounds of 1300 requests
SLOW = 20               # of what is slow: this part of them


def server_nginx(d, port):
    with open(f'{d}/numbers.txt', 'w') as f:
        f.writelines(f'{i}\n' for i in range(1, 3001))
    with open(f'{d}/nginx.conf', 'w') as f:
        f.write(NGINX.format(d=d, port=port))
    return ['nginx', '-p', d, '-c', f'{d}/nginx.conf']


def burst_wrk(port, slow, *header):
    out = subprocess.run(['wrk', '-t1', '-c8', '-d1s', *header, f'http://127.0.0.1:{port}/numbers.txt'],
                         capture_output=True, text=True, check=True).stdout
    return int(re.search(r'(\d+) requests in', out).group(1))


def burst_gzip(port, slow):
    return burst_wrk(port, slow, '-H', 'Accept-Encoding: gzip')


def server_redis(d, port):
    return ['redis-server', '--port', str(port), '--save', '', '--dir', d]


def burst_redis(port, slow):
    n = REDIS // SLOW if slow else REDIS
    subprocess.run(['redis-benchmark', '-p', str(port), '-n', str(n), '-r', '100000', '-d', '64', '-q',
                    '-t', 'set,get,lpush,hset'], stdout=subprocess.DEVNULL, check=True)
    return 4 * n


def server_memcached(d, port):
    return ['memcached', '-u', 'nobody', '-l', '127.0.0.1', '-p', str(port), '-t', '2', '-m', '64', '-c', '200']


def burst_memcached(port, slow):
    rounds = MEMCACHED // SLOW if slow else MEMCACHED
    s = socket.create_connection(('127.0.0.1', port))
    f = s.makefile('rb')
    for r in range(rounds):
        s.sendall(b''.join(b'set k%d 0 0 100 noreply\r\n%s\r\n' % (i + r, b'v' * 100) for i in range(1000)) +
                  b''.join(b'get k%d\r\n' % (i + r) for i in range(300)))
        n = 0
        while n < 300:
            n += f.readline() == b'END\r\n'
    return 1300 * rounds


SERVERS = {'redis': (server_redis, burst_redis), 'redis glibc': (server_redis, burst_redis), 'nginx': (server_nginx, burst_wrk),
           'nginx gzip': (server_nginx, burst_gzip), 'memcached': (server_memcached, burst_memcached)}


class Way:
    """A way to run a server: around(argv, folder) is the command, env(folder) what is added to the
    environment; slow: it gets fewer requests."""

    def __init__(self, name, around=None, env=None, slow=False):
        self.name, self.slow = name, slow
        self.around, self.env = around or (lambda argv, folder: argv), env or (lambda folder: {})


def plainly(server):
    """Without any tool, with malloc of glibc where that is asked for."""
    return Way('plain', env=lambda folder: {'LD_PRELOAD': 'libc.so.6'} if server.endswith('glibc') else {})


def family(pid):
    """A process and all that it has started."""
    out = [pid]
    for task in glob.glob(f'/proc/{pid}/task/*/children'):
        try:
            with open(task) as f:
                out += [p for kid in f.read().split() for p in family(int(kid))]
        except OSError:                         # it has ended meanwhile
            pass
    return out


class Instance:
    def __init__(self, make, way, port):
        self.dir = tempfile.mkdtemp(dir='/dev/shm')
        os.chmod(self.dir, 0o777)
        self.port, self.way, self.costs, self.times = port, way, [], []
        self.p = subprocess.Popen(way.around(make(self.dir, port), self.dir), env={**os.environ, **way.env(self.dir)},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.dir)
        try:
            self.await_port()
        except SystemExit:
            self.end()
            raise

    def await_port(self):
        for _ in range(1200):
            try:
                socket.create_connection(('127.0.0.1', self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
            if self.p.poll() is not None:
                break
        raise SystemExit(f'{self.way.name}: nothing listens on port {self.port}')

    def cpu(self):
        """ns of all threads of the server and of what runs for it"""
        ns = 0
        for pid in family(self.p.pid):
            for task in glob.glob(f'/proc/{pid}/task/*/schedstat'):
                try:
                    with open(task) as f:
                        ns += int(f.read().split()[0])
                except OSError:
                    pass
        return ns

    def peak(self):
        """kB that the largest of these processes ever had"""
        most = 0
        for pid in family(self.p.pid):
            with open(f'/proc/{pid}/status') as f:
                most = max([most] + [int(line.split()[1]) for line in f if line.startswith('VmHWM')])
        return most

    def load(self, burst):
        before, began = self.cpu(), time.monotonic()
        n = burst(self.port, self.way.slow)
        self.times.append((time.monotonic() - began) / n)
        self.costs.append((self.cpu() - before) / n)

    def end(self):
        pids = family(self.p.pid)
        for pid in pids[::-1]:                  # a script in front of it does not hand signals on
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        try:
            self.p.wait(20)
        except subprocess.TimeoutExpired:
            self.p.kill()
            self.p.wait()
        shutil.rmtree(self.dir, ignore_errors=True)


def against(plain, watched, again):
    """the watched one against the two plain ones, round by round"""
    return statistics.median(2 * w / (p + a) for p, w, a in zip(plain, watched, again))


def measure(name, ways, bursts, port):
    """Loads a plain instance, one for each way that starts, and another plain one, in turns.  The instances,
    ended, the plain ones first and last; the first burst of each, in which it grows, is not counted."""
    make, burst = SERVERS[name]
    all_ = []
    try:
        for i, way in enumerate([plainly(name)] + ways + [plainly(name)]):
            try:
                all_.append(Instance(make, way, port + i))
            except SystemExit as e:
                if way.name == 'plain':
                    raise
                print(f'{name}: {e}', file=sys.stderr)
        for r in range(bursts + 1):
            for i in range(len(all_)):
                all_[(i + r) % len(all_)].load(burst)
        for i in all_:
            i.costs, i.times, i.most = i.costs[1:], i.times[1:], i.peak()
    finally:
        for i in all_:
            i.end()
    return all_


def compare(name, lib, bursts, port):
    all_ = measure(name, [Way('watched', env=lambda d: {'LD_PRELOAD': lib, 'PLUMB_RUN_FILE': f'{d}/run'})], bursts, port)
    costs, times = [i.costs for i in all_], [i.times for i in all_]
    plain, watched = (statistics.median(c) for c in costs[:2])
    least = min(costs[1]) / min(costs[0] + costs[2])
    noise = statistics.median(a / p for p, _, a in zip(*costs))
    print(f'{name.replace(" ", "_")} {plain:.0f} {watched:.0f} {against(*costs):.3f} {noise:.3f} {least:.3f} '
          f'{against(*times):.3f}', flush=True)


def first_port():
    return 20000 + os.getpid() % 10000


def main():
    lib, bursts = sys.argv[1], int(sys.argv[2])
    for k, name in enumerate(sys.argv[3:] or SERVERS):
        compare(name, lib, bursts, first_port() + 10 * k)


if __name__ == '__main__':
    main()
