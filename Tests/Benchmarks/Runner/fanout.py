"""Live fan-out: one publisher, many subscriber connections in a second process, beside NATS and Redis."""
import os
import subprocess

from .processes import processor_seconds
from .rpc import free_port

SUBSCRIBERS = (1, 10, 100)
# Messages a second when latency and processor time are looked at: well below what each can do, to 100 subscribers too.
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


class Comparison:
    """Ours beside each broker, in turns, under one load. A broker that fails costs only its own lines."""

    def __init__(self, bench, results, brokers, subscribers, rate):
        self.bench, self.results, self.brokers, self.subscribers, self.rate = bench, results, brokers, subscribers, rate
        self.reports = [[] for _ in brokers]
        self.command = [*brokers[0].publish, subscribers, rate, bench.seconds]

    def run(self):
        failed = set()
        for number in range(self.bench.rounds):
            for index in range(len(self.brokers)):
                turn = (index + number) % len(self.brokers)
                if turn in failed:
                    continue
                before = len(self.bench.failures)
                self.bench.measure(
                    f"fan-out to {self.subscribers}, {self.rate or 'as many as are received'} a second, "
                    f"{self.brokers[turn].name}",
                    lambda: self.reports[turn].append(self.brokers[turn].run(self.bench, self.subscribers, self.rate)))
                if len(self.bench.failures) > before:
                    failed.add(turn)
        return self

    def add(self, measure, key, unit, targets, better):
        """One line for each broker; `targets` in their order."""
        mine = self.reports[0]
        for peer, theirs, target in zip(self.brokers[1:], self.reports[1:], targets):
            if len(mine) == len(theirs) == self.bench.rounds:
                self.results.add(
                    f"{measure}_{peer.name.split(',')[0].lower()}", [r[key] for r in mine], [r[key] for r in theirs],
                    peer.name, unit, target, better, self.command)


def fan_out(bench, results):
    brokers = (ours(bench), nats(bench), redis(bench))
    for subscribers in SUBSCRIBERS:
        fast = Comparison(bench, results, brokers, subscribers, 0).run()
        fast.add(f"fanout_{subscribers}_delivered", "rate", "messages/s", (1.0, 0.8), "higher")
        modest = Comparison(bench, results, brokers, subscribers, MODEST).run()
        modest.add(f"fanout_{subscribers}_p99", "p99_us", "us", (1.0, 1.25), "lower")
        modest.add(f"fanout_{subscribers}_cpu", "cpu_us", "us/message", (1.0, 1.25), "lower")
