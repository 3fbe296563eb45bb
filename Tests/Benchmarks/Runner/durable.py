"""Durable events: appended in one process, synced to disk, handled in another; beside NATS JetStream."""
import os
import shutil
import subprocess
import time

from .rpc import free_port

IN_FLIGHT = (1, 100)


def find_postgres():
    return sorted(f"/usr/lib/postgresql/{v}/bin" for v in os.listdir("/usr/lib/postgresql"))[-1]


class Postgres:
    """A private cluster with its defaults: each commit is synced. It refuses to run as root."""

    def __init__(self, bench):
        self.folder = bench.socket("postgres")
        self.binaries = find_postgres()
        os.mkdir(self.folder)
        self.prefix = []
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self.prefix = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        data = f"{self.folder}/data"
        self.run(f"{self.binaries}/initdb", "-D", data, "-A", "trust", "-U", "bench", "-E", "UTF8", "--locale=C")
        self.server = bench.start(
            *self.prefix, f"{self.binaries}/postgres", "-D", data, "-k", self.folder, "-c", "listen_addresses=",
            "-c", "max_connections=100", ready=False, stderr=subprocess.DEVNULL, cwd="/")
        bench.wait_until(lambda: os.path.exists(f"{self.folder}/.s.PGSQL.5432"))
        bench.wait_until(lambda: self.execute("postgres", "SELECT 1") == 0)

    def run(self, *command):
        subprocess.run([*self.prefix, *command], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def execute(self, database, statement):
        return subprocess.run(
            ["psql", "-h", self.folder, "-U", "bench", "-d", database, "-qc", statement], capture_output=True).returncode

    def fresh(self, name):
        """A new database; its URL."""
        if self.execute("postgres", f'CREATE DATABASE "{name}"') != 0:
            raise SystemExit(f"cannot create database {name}")
        return f"postgresql://bench@/{name}?host={self.folder}"


def ours(bench, postgres, in_flight, number):
    url = postgres.fresh(f"bench_{in_flight}_{number}")
    subprocess.run([bench.program, "migrate", url], check=True)
    directory = bench.socket(f"run-{in_flight}-{number}")
    os.mkdir(directory, 0o700)
    progress = bench.progress()
    append = bench.start(bench.program, "append", url, directory, in_flight, bench.seconds, progress)
    report = bench.report(bench.program, "handle", url, directory, bench.seconds, progress)
    bench.stop(append)
    return report


def jetstream(bench, in_flight, number):
    port = free_port()
    store = bench.socket(f"jetstream-{in_flight}-{number}")
    configuration = bench.socket("nats.conf")
    with open(configuration, "w") as file:
        file.write(f'listen: "127.0.0.1:{port}"\njetstream {{ store_dir: "{store}", sync_interval: always }}\n')
    server = bench.start(
        bench.peer("venv/bin/nats-server"), "-c", configuration, ready=False, stderr=subprocess.DEVNULL)
    bench.wait_for_port(port)
    time.sleep(0.3)
    progress = bench.progress()
    peer = bench.peer("broker_peer")
    append = bench.start(peer, "jetstream", "append", port, in_flight, bench.seconds, progress)
    report = bench.report(peer, "jetstream", "handle", port, bench.seconds, progress)
    bench.stop(append)
    bench.stop(server)
    shutil.rmtree(store, ignore_errors=True)
    return report


def durable(bench, results):
    made = []
    bench.measure("durable events: PostgreSQL", lambda: made.append(Postgres(bench)), keep=True)
    for postgres in made:
        for in_flight in IN_FLIGHT:
            bench.measure(
                f"durable events, {in_flight} in flight", lambda: compare(bench, results, postgres, in_flight))
        bench.stop(postgres.server)


def compare(bench, results, postgres, in_flight):
    mine, theirs = [], []
    for number in range(bench.rounds):
        turns = [
            lambda: mine.append(ours(bench, postgres, in_flight, number)),
            lambda: theirs.append(jetstream(bench, in_flight, number))]
        for turn in turns if number % 2 == 0 else reversed(turns):
            turn()
    command = [bench.program, "append", "URL", "DIRECTORY", in_flight, bench.seconds, "PROGRESS"]

    def add(measure, value, unit, target, better):
        results.add(
            f"durable_{in_flight}_in_flight_{measure}", [value(r) for r in mine], [value(r) for r in theirs],
            "NATS JetStream, sync always", unit, target, better, command)

    add("rate", lambda r: r["count"] / r["seconds"], "events/s", 1.0, "higher")
    add("p50", lambda r: r["p50_us"], "us", 1.0, "lower")
    add("p99", lambda r: r["p99_us"], "us", 1.0, "lower")
