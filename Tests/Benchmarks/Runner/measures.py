"""What was measured: medians, spread, the table and the JSON lines."""
import json
import os
import statistics
import subprocess


class Results:
    def __init__(self, bench):
        self.path = os.path.join(bench.folder, "results.jsonl")
        self.lines = []
        open(self.path, "w").close()
        self.versions = versions(bench)

    def add(self, measure, ours, peer, peer_name, unit, target, better, command):
        """`ours` and `peer`: one value a round. `better`: higher or lower; `target`: what the ratio of medians should be
        at least, or at most."""
        mine, theirs = statistics.median(ours), statistics.median(peer)
        versions = dict(self.versions, load=round(os.getloadavg()[0], 2))
        self.lines.append({
            "measure": measure, "ours": significant(mine), "peer": significant(theirs), "peer_name": peer_name,
            "unit": unit, "ratio": significant(mine / theirs) if theirs else 0.0, "target": target, "better": better,
            "samples": {"ours": [significant(v) for v in ours], "peer": [significant(v) for v in peer]},
            "versions": versions, "command": " ".join(map(str, command)),
        })
        # At once: whatever happens to the rest of the run, this one is there.
        with open(self.path, "a") as file:
            file.write(json.dumps(self.lines[-1]) + "\n")


def reached(line):
    return line["ratio"] >= line["target"] if line["better"] == "higher" else line["ratio"] <= line["target"]


def number(value):
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def significant(value):
    return float(f"{value:.4g}")


def spread(values):
    return f"{number(statistics.median(values))} ({number(min(values))} to {number(max(values))})"


def table(lines):
    rows = [("measure", "ours: median (spread)", "peer: median (spread)", "unit", "ratio", "target", "", "peer")]
    for line in lines:
        bound = "at least" if line["better"] == "higher" else "at most"
        rows.append((
            line["measure"], spread(line["samples"]["ours"]), spread(line["samples"]["peer"]), line["unit"],
            f"{line['ratio']:.2f}", f"{bound} {line['target']:g}", "reached" if reached(line) else "missed",
            line["peer_name"]))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def versions(bench):
    def first(*command):
        try:
            return subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()[0]
        except (OSError, IndexError):
            return "unknown"

    def package(name):
        return first("dpkg-query", "-W", "-f=${Version}", name)

    with open("/proc/cpuinfo") as file:
        processor = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown")
    return {
        "bellwire": first("git", "-C", os.path.dirname(__file__), "rev-parse", "--short", "HEAD"),
        "libzmq": package("libzmq5"), "protobuf-c": package("libprotobuf-c1"), "grpc": package("libgrpc++-dev"),
        "redis": package("redis-server"), "nats": first(bench.peer("venv/bin/nats-server"), "--version").split("v")[-1],
        "postgresql": package("postgresql-15"), "kernel": os.uname().release, "processor": processor,
        "cores": os.cpu_count(),
    }
