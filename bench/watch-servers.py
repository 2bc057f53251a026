#!/usr/bin/env python3
"""
watch-servers.py - CPU time of servers for a request, watched and plainly.

    watch-servers.py LIBRARY BURSTS [redis|nginx|memcached]...

Of each server three instances run at once: plain, watched, and plain once more, which
shows how much of a difference is noise.  A client loads them in turns, in bursts of about
a second, so that a slow minute of the machine hits all three.  What counts is the CPU time
of the server for a request, which its throughput hangs on: of a round of bursts the ratio of
the watched one to the mean of the plain ones, of the rounds the median.

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
import socket
import statistics
import subprocess
import sys
import tempfile
import time

NGINX = '''daemon off; worker_processes 1; pid {d}/pid; error_log {d}/error.log; user root;
events {{ worker_connections 200; }}
http {{ access_log off; client_body_temp_path {d}; proxy_temp_path {d};
fastcgi_temp_path {d}; uwsgi_temp_path {d}; scgi_temp_path {d};
gzip on; gzip_types text/plain; gzip_min_length 1;
server {{ listen 127.0.0.1:{port}; root {d}; }} }}
'''
REDIS = 20000           # requests of a kind
MEMCACHED = 200         # rounds of 1300 requests


def server_nginx(d, port):
    with open(f'{d}/numbers.txt', 'w') as f:
        f.writelines(f'{i}\n' for i in range(1, 3001))
    with open(f'{d}/nginx.conf', 'w') as f:
        f.write(NGINX.format(d=d, port=port))
    return ['nginx', '-p', d, '-c', f'{d}/nginx.conf']


def burst_wrk(port, *header):
    out = subprocess.run(['wrk', '-t1', '-c8', '-d1s', *header, f'http://127.0.0.1:{port}/numbers.txt'],
                         capture_output=True, text=True, check=True).stdout
    return int(re.search(r'(\d+) requests in', out).group(1))


def burst_gzip(port):
    return burst_wrk(port, '-H', 'Accept-Encoding: gzip')


def server_redis(d, port):
    return ['redis-server', '--port', str(port), '--save', '', '--dir', d]


def burst_redis(port):
    subprocess.run(['redis-benchmark', '-p', str(port), '-n', str(REDIS), '-r', '100000', '-d', '64', '-q',
                    '-t', 'set,get,lpush,hset'], stdout=subprocess.DEVNULL, check=True)
    return 4 * REDIS


def server_memcached(d, port):
    return ['memcached', '-u', 'nobody', '-l', '127.0.0.1', '-p', str(port), '-t', '2', '-m', '64']


def burst_memcached(port):
    s = socket.create_connection(('127.0.0.1', port))
    f = s.makefile('rb')
    for r in range(MEMCACHED):
        s.sendall(b''.join(b'set k%d 0 0 100 noreply\r\n%s\r\n' % (i + r, b'v' * 100) for i in range(1000)) +
                  b''.join(b'get k%d\r\n' % (i + r) for i in range(300)))
        n = 0
        while n < 300:
            n += f.readline() == b'END\r\n'
    return 1300 * MEMCACHED


SERVERS = {'redis': (server_redis, burst_redis), 'redis glibc': (server_redis, burst_redis), 'nginx': (server_nginx, burst_wrk),
           'nginx gzip': (server_nginx, burst_gzip), 'memcached': (server_memcached, burst_memcached)}


class Instance:
    def __init__(self, make, lib, port):
        self.dir = tempfile.mkdtemp(dir='/dev/shm')
        os.chmod(self.dir, 0o777)
        env = dict(os.environ)
        if lib:
            env.update(LD_PRELOAD=lib, PLUMB_RUN_FILE=f'{self.dir}/run')
        self.port, self.costs, self.times = port, [], []
        self.p = subprocess.Popen(make(self.dir, port), env=env, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(('127.0.0.1', port)).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit(f'nothing listens on port {port}')

    def cpu(self):
        """ns of all threads of the server and its children"""
        kids = subprocess.run(['pgrep', '-P', str(self.p.pid)], capture_output=True, text=True).stdout.split()
        return sum(int(open(t).read().split()[0])
                   for pid in [str(self.p.pid), *kids] for t in glob.glob(f'/proc/{pid}/task/*/schedstat'))

    def load(self, burst):
        before, began = self.cpu(), time.monotonic()
        n = burst(self.port)
        self.times.append((time.monotonic() - began) / n)
        self.costs.append((self.cpu() - before) / n)

    def end(self):
        self.p.terminate()
        self.p.wait()
        shutil.rmtree(self.dir)


def against(v):
    """the watched one against the two plain ones, round by round"""
    return statistics.median(2 * w / (p + a) for p, w, a in zip(*v))


def compare(name, lib, bursts, port):
    make, burst = SERVERS[name]
    plainly = 'libc.so.6' if name.endswith('glibc') else None
    all_ = [Instance(make, l, port + i) for i, l in enumerate((plainly, lib, plainly))]
    try:
        for r in range(bursts + 1):
            for i in range(3):
                all_[(i + r) % 3].load(burst)
        costs, times = [i.costs[1:] for i in all_], [i.times[1:] for i in all_]
    finally:
        for i in all_:
            i.end()
    plain, watched = (statistics.median(c) for c in costs[:2])
    least = min(costs[1]) / min(costs[0] + costs[2])
    noise = statistics.median(a / p for p, _, a in zip(*costs))
    print(f'{name.replace(" ", "_")} {plain:.0f} {watched:.0f} {against(costs):.3f} {noise:.3f} {least:.3f} '
          f'{against(times):.3f}', flush=True)


def main():
    lib, bursts = sys.argv[1], int(sys.argv[2])
    base = 20000 + os.getpid() % 10000
    for k, name in enumerate(sys.argv[3:] or SERVERS):
        compare(name, lib, bursts, base + 10 * k)


main()
