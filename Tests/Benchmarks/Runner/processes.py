"""Starting what is measured, and counting the processor time it takes."""
import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time

TICK = os.sysconf("SC_CLK_TCK")


class Bench:
    """The settings of one run, and what it has started."""

    def __init__(self, folder, program, scratch, rounds, seconds):
        self.folder, self.program, self.scratch = folder, program, scratch
        self.rounds, self.seconds = rounds, seconds
        self.started = []
        self.failures = []

    def measure(self, text, body, keep=False):
        """Runs one measure. When it fails that is told, what it had started is ended, and the others go on. `keep`: what it
        has started goes on when it does not fail."""
        print(f"{text} ...", file=sys.stderr, flush=True)
        before = list(self.started)
        try:
            body()
        except (Exception, SystemExit) as failure:
            print(f"{text}: failed: {failure}", file=sys.stderr, flush=True)
            self.failures.append(text)
            keep = False
        if not keep:
            self.end_all_but(before)

    def peer(self, name):
        return os.path.join(self.folder, name)

    def socket(self, name):
        return os.path.join(self.scratch, name)

    def start(self, *command, ready=True, **options):
        """A process that says `ready` on its first line when it is; `stop` it, or `close` does."""
        process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE if ready else subprocess.DEVNULL, text=True,
            **options)
        self.started.append(process)
        with self.limit(process, 30):
            if ready and "ready" not in process.stdout.readline():
                raise SystemExit(f"{command[0]} does not start")
        return process

    def stop(self, process):
        """Ends a process; returns the processor time of its life."""
        if process.returncode is not None:
            return 0.0
        process.terminate()
        with self.limit(process, 30):
            seconds = finish(process)
        self.started.remove(process)
        return seconds

    def report(self, *command):
        """What a load client says at its end, with the processor time it took as `client_seconds`."""
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        self.started.append(process)
        with self.limit(process, 60 + 2 * self.seconds):
            output = process.stdout.read()
            seconds = finish(process)
        self.started.remove(process)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))} ended with {process.returncode}")
        report = json.loads(output.strip().splitlines()[-1])
        report["client_seconds"] = seconds
        return report

    def end(self, process):
        """Waits for a process that ends by itself; returns its processor time."""
        with self.limit(process, 60):
            seconds = finish(process)
        self.started.remove(process)
        return seconds

    def wait_until(self, condition):
        limit = time.monotonic() + 30
        while not condition():
            if time.monotonic() > limit:
                raise SystemExit("a server does not start")
            time.sleep(0.02)

    def wait_for_port(self, port):
        def listens():
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return True
            except OSError:
                return False

        self.wait_until(listens)

    @contextlib.contextmanager
    def limit(self, process, seconds):
        """Kills the process when it takes longer, so that nobody waits for ever for what it does not say."""
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def end_all_but(self, kept):
        for process in [process for process in self.started if process not in kept]:
            process.kill()
            process.wait()
            self.started.remove(process)

    def close(self):
        self.end_all_but([])

    def progress(self):
        """A fresh progress file: see SharedProgress.swift."""
        path = self.socket("progress")
        with open(path, "wb") as file:
            file.write(bytes(4096))
        return path


def finish(process):
    """Waits for the end of a process; returns its processor time."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.stdout:
        process.stdout.close()
    return usage.ru_utime + usage.ru_stime


def processor_seconds(process):
    """The processor time of a running process."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK
