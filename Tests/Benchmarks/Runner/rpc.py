"""Calls and streams: two processes, beside gRPC C++ and plain libzmq in C."""
import socket
import statistics
import subprocess

from .processes import processor_seconds

# How gRPC's server can be written. Each is tried, the best of them is the peer.
GRPC_KINDS = (("async",), ("async", "2"), ("callback",), ("sync",))


def rate(report):
    return report["count"] / report["seconds"]


def megabytes(report):
    return report["bytes"] / report["seconds"] / 1e6


def once(bench, server, client):
    process = bench.start(*server)
    before = processor_seconds(process)
    report = bench.report(*client)
    seconds = processor_seconds(process) - before + report["client_seconds"]
    report["cpu_us"] = seconds / max(1, report["total"]) * 1e6
    bench.stop(process)
    return report


class Kind:
    """One implementation: how its server and, for a load, its client are started."""

    def __init__(self, name, server, client):
        self.name, self.server, self.client = name, server, client

    def run(self, bench, load, seconds=None):
        return once(bench, self.server, self.client(*load, seconds or bench.seconds))


def ours(bench):
    address = f"ipc://{bench.socket('ours')}"
    return Kind(
        "Bellwire", [bench.program, "serve", address], lambda load, *rest: [bench.program, load, address, *rest])


def grpc(bench, kind):
    address = f"unix:{bench.socket('grpc')}"
    return Kind(
        f"gRPC C++ ({' '.join(kind)})", [bench.peer("grpc_server"), address, *kind],
        lambda *load: [bench.peer("grpc_client"), address, *load])


def zmq(bench):
    address = f"ipc://{bench.socket('zmq')}"
    return Kind(
        "libzmq, protobuf-c", [bench.peer("zmq_peer"), "serve", address],
        lambda load, *rest: [bench.peer("zmq_peer"), load, address, *rest])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ours_with_curve(bench):
    address = f"tcp://127.0.0.1:{free_port()}"
    return Kind(
        "Bellwire, CURVE", [bench.program, "serve", address, "curve"],
        lambda load, *rest: [bench.program, load, address, *rest, "curve"])


def zmq_with_curve(bench):
    address = f"tcp://127.0.0.1:{free_port()}"
    keys = subprocess.run([bench.peer("zmq_peer"), "keys"], capture_output=True, text=True, check=True)
    public, secret = keys.stdout.split()
    return Kind(
        "libzmq with CURVE, protobuf-c", [bench.peer("zmq_peer"), "serve", address, public, secret],
        lambda load, *rest: [bench.peer("zmq_peer"), load, address, *rest, public])


def best_grpc(bench, load, value):
    """The kind of server whose median of three short runs is the best by `value`, which is to be high."""
    kinds = [grpc(bench, kind) for kind in GRPC_KINDS]
    tries = {kind: [] for kind in kinds}
    for _ in range(3):
        for kind in kinds:
            tries[kind].append(value(kind.run(bench, load, 1)))
    return max(kinds, key=lambda kind: statistics.median(tries[kind]))


def rounds(bench, kinds, load):
    """A list of reports for each kind, taken in turns."""
    reports = [[] for _ in kinds]
    for number in range(bench.rounds):
        # Whoever comes first finds the machine cooler: take turns at that, too.
        for index in range(len(kinds)):
            turn = (index + number) % len(kinds)
            reports[turn].append(kinds[turn].run(bench, load))
    return reports


def calls(bench, results):
    many, single = ("echo", 100), ("echo", 1)
    fabric, floor = ours(bench), zmq(bench)

    def in_flight_100():
        peer = best_grpc(bench, many, rate)
        mine, theirs, plain = rounds(bench, (fabric, peer, floor), many)
        command = fabric.client(*many, bench.seconds)

        def add(measure, value, others, name, unit, target, better):
            results.add(
                measure, [value(r) for r in mine], [value(r) for r in others], name, unit, target, better, command)

        add("rpc_unary_100_in_flight", rate, theirs, peer.name, "req/s", 5.0, "higher")
        add("rpc_unary_p99_100_in_flight", lambda r: r["p99_us"], theirs, peer.name, "us", 0.4, "lower")
        add("rpc_unary_cpu_per_request", lambda r: r["cpu_us"], theirs, peer.name, "us", 0.4, "lower")
        add("rpc_unary_100_in_flight_floor", rate, plain, floor.name, "req/s", 0.5, "higher")

    def in_flight_1():
        alone = best_grpc(bench, single, lambda report: -report["p50_us"])
        own, other = rounds(bench, (fabric, alone), single)
        results.add(
            "rpc_unary_p50_1_in_flight", [r["p50_us"] for r in own], [r["p50_us"] for r in other], alone.name, "us",
            0.8, "lower", fabric.client(*single, bench.seconds))

    bench.measure("calls, 100 in flight", in_flight_100)
    bench.measure("calls, 1 in flight", in_flight_1)


def curve(bench, results):
    load = ("echo", 100)

    def run():
        fabric, peer = ours_with_curve(bench), zmq_with_curve(bench)
        mine, theirs = rounds(bench, (fabric, peer), load)
        results.add(
            "rpc_unary_100_in_flight_curve", [rate(r) for r in mine], [rate(r) for r in theirs], peer.name, "req/s",
            0.6, "higher", fabric.client(*load, bench.seconds))

    bench.measure("calls with CURVE over tcp, 100 in flight", run)


def stream(bench, results):
    load = ("flow", 16384)

    def run():
        fabric, peer = ours(bench), best_grpc(bench, load, megabytes)
        mine, theirs = rounds(bench, (fabric, peer), load)
        results.add(
            "rpc_stream_16k_chunks", [megabytes(r) for r in mine], [megabytes(r) for r in theirs], peer.name, "MB/s",
            2.0, "higher", fabric.client(*load, bench.seconds))

    bench.measure("a stream of 16 KB chunks", run)
