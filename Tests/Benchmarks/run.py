#!/usr/bin/env python3
"""Measures the fabric beside its peers, in turns, on this machine.

Usage: run.py FOLDER BENCH-EXECUTABLE [PART ...]; parts: rpc, curve, stream, fanout, durable (all).

Prints a table of medians with their spread and writes a JSON line for each measure to FOLDER/results.jsonl. FOLDER holds
what Peers/prepare.sh built. KEEP=1 also keeps the lines, their chart and their table in docs/benchmarks. A measure that
fails is left out, and the exit status is 1 then. ROUNDS (5) and WINDOW (2, seconds) make it longer or shorter.
"""
import os
import shutil
import sys
import tempfile

from Runner import chart, durable, fanout, rpc
from Runner.measures import Results, table
from Runner.processes import Bench

PARTS = {
    "rpc": rpc.calls, "curve": rpc.curve, "stream": rpc.stream, "fanout": fanout.fan_out, "durable": durable.durable,
}


def main():
    if len(sys.argv) < 3 or any(part not in PARTS for part in sys.argv[3:]):
        sys.exit(__doc__)
    parts = sys.argv[3:] or list(PARTS)
    # On a disk, where PostgreSQL's user can go, and short enough for the names of sockets.
    scratch = tempfile.mkdtemp(prefix="bellwire-bench-", dir="/var/tmp")
    os.chmod(scratch, 0o755)
    bench = Bench(
        folder=os.path.abspath(sys.argv[1]), program=os.path.abspath(sys.argv[2]), scratch=scratch,
        rounds=int(os.environ.get("ROUNDS", "5")), seconds=int(os.environ.get("WINDOW", "2")))
    results = Results(bench)
    try:
        for part in parts:
            PARTS[part](bench, results)
    finally:
        bench.close()
        shutil.rmtree(scratch, ignore_errors=True)
    print(table(results.lines))
    if os.environ.get("KEEP") and results.lines:
        chart.keep(results.lines, os.path.join(os.path.dirname(__file__), "../../docs/benchmarks"))
    if bench.failures:
        sys.exit(f"failed: {', '.join(bench.failures)}")


main()
