"""Live fan-out: one publisher, many subscriber connections in a second process, beside NATS and Redis."""
import os
import subprocess

from .processes import processor_seconds
from .rpc import free_port

SUBSCRIBERS = (1, 10, 100)
# Messages a second towards 100 subscribers when latency and processor time are looked at: well below what each can do.
MODEST = 1000


class Broker:
    """How one implementation is started: a broker, if it has one, and its two load clients."""

    def __init__(self, name, start, publish, subscribe):
        self.name, self.start, self.publish, self.subscribe = name, start, publish, subscribe

    def run(self, bench, subscribers, rate):
        progress = bench.progress()
        broker = self.start()
        publisher = bench.start(*self.publish, subscribers, rate, bench.seconds, progress)
        report = bench.report(*self.subscribe, subscribers, bench.seconds, progress)
        # The publisher ends by itself, a little later.
        seconds = report["client_seconds"] + bench.end(publisher)
        if broker:
            seconds += processor_seconds(broker)
            bench.stop(broker)
        report["rate"] = report["count"] / report["seconds"]
        report["cpu_us"] = seconds / max(1, report["total"]) * 1e6
        return report


def ours(bench):
    address = f"ipc://{bench.socket('fan')}"
    return Broker("Bellwire", lambda: None, [bench.program, "publish", address], [bench.program, "subscribe", address])


def nats(bench):
    port = free_port()

    def start():
        server = bench.start(
            bench.peer("venv/bin/nats-server"), "-a", "127.0.0.1", "-p", port, ready=False,
            stderr=subprocess.DEVNULL)
        bench.wait_for_port(port)
        return server

    peer = bench.peer("broker_peer")
    return Broker("NATS", start, [peer, "nats", "publish", port], [peer, "nats", "subscribe", port])


def redis(bench):
    path = bench.socket("redis")

    def start():
        server = bench.start(
            "redis-server", "--port", 0, "--unixsocket", path, "--save", "", "--appendonly", "no",
            # A slow moment of a subscriber is not to end it.
            "--client-output-buffer-limit", "pubsub 0 0 0", ready=False)
        bench.wait_until(lambda: os.path.exists(path))
        return server

    peer = bench.peer("broker_peer")
    return Broker("Redis, unix socket", start, [peer, "redis", "publish", path], [peer, "redis", "subscribe", path])


def rounds(bench, brokers, subscribers, rate):
    reports = [[] for _ in brokers]
    for number in range(bench.rounds):
        for index in range(len(brokers)):
            turn = (index + number) % len(brokers)
            reports[turn].append(brokers[turn].run(bench, subscribers, rate))
    return reports


def fan_out(bench, results):
    brokers = (ours(bench), nats(bench), redis(bench))

    def add(measure, key, unit, mine, theirs, peer, target, better, command):
        results.add(
            measure, [r[key] for r in mine], [r[key] for r in theirs], peer.name, unit, target, better, command)

    for subscribers in SUBSCRIBERS:
        bench.note(f"fan-out to {subscribers}, as fast as it is received")
        mine, by_nats, by_redis = rounds(bench, brokers, subscribers, 0)
        command = [*brokers[0].publish, subscribers, 0, bench.seconds]
        for theirs, peer, target in ((by_nats, brokers[1], 1.0), (by_redis, brokers[2], 0.8)):
            slug = peer.name.split(",")[0].lower()
            add(f"fanout_{subscribers}_delivered_{slug}", "rate", "messages/s", mine, theirs, peer, target, "higher",
                command)
    bench.note(f"fan-out to {SUBSCRIBERS[-1]}, {MODEST} messages a second")
    mine, by_nats, by_redis = rounds(bench, brokers, SUBSCRIBERS[-1], MODEST)
    command = [*brokers[0].publish, SUBSCRIBERS[-1], MODEST, bench.seconds]
    for theirs, peer, target in ((by_nats, brokers[1], 1.0), (by_redis, brokers[2], 1.25)):
        slug = peer.name.split(",")[0].lower()
        add(f"fanout_100_p99_{slug}", "p99_us", "us", mine, theirs, peer, target, "lower", command)
        add(f"fanout_100_cpu_{slug}", "cpu_us", "us/message", mine, theirs, peer, target, "lower", command)
