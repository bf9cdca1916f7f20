"""A faulty web, a batch that is killed, a full disk, damaged archives; see scripts/soak.

Usage: soak.py TSUGI WORK_FOLDER SECONDS SEED
"""

import gzip
import json
import os
import random
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TSUGI, WORK, SECONDS, SEED = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])

HOSTS = [f"127.0.0.{number}" for number in range(1, 17)]
WORDS = (
    "river spring people valley bridge mill water stone morning letter house window garden road market paper story "
    "winter summer village teacher doctor farmer"
).split()
CHARSETS = ["utf-8", "shift_jis", "windows-1251", "gb18030", "iso-8859-1"]
# What goes wrong with a document; most of them from its second page on.
FAULTS = [
    "none", "none", "none", "reset", "stall", "too short", "too long", "cut chunks", "circle", "far circle", "later",
    "busy", "broken", "charsets", "endless", "bomb", "cut gzip", "binary", "empty", "missing", "drip", "headers",
    "controls", "no robots", "plain", "partial",
]

problems = []


def problem(what):
    problems.append(what)
    print(f"PROBLEM: {what}", flush=True)


class Site(BaseHTTPRequestHandler):
    """Answers `/DOCUMENT/FAULT/PAGE`."""

    protocol_version = "HTTP/1.1"
    timeout = 10
    seen = {}
    lock = threading.Lock()

    def log_message(self, *_):
        pass

    def do_GET(self):
        try:
            self.answer()
        except (OSError, ValueError):
            self.close_connection = True

    def answer(self):
        if self.path == "/robots.txt":
            return self.robots()
        _, document, fault, page = self.path.split("/")
        fault, number = fault.replace("-", " "), int(page)
        with Site.lock:
            times = Site.seen[self.path] = Site.seen.get(self.path, 0) + 1
        body, head = self.page(document, fault, number)
        if number == 1 and fault not in ("missing", "empty", "binary", "headers", "controls", "plain"):
            return self.send(body, head)
        getattr(self, "do_" + fault.replace(" ", "_"), self.plainly)(body, head, times)

    def robots(self):
        host = self.headers.get("Host", "").split(":")[0]
        last = int(host.rsplit(".", 1)[1]) if host[:1].isdigit() else 0
        if last % 8 == 7:
            self.send(b"", {}, 503)
        elif last % 8 == 6:
            self.send(b"User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n", {"Content-Type": "text/plain"})
        else:
            self.send(b"", {}, 404)

    def page(self, document, fault, number):
        chance = random.Random(f"{SEED}/{document}/{number}")
        paragraphs = [" ".join(chance.choices(WORDS, k=60)).capitalize() + "." for _ in range(6)]
        last = 10**9 if fault == "endless" else 3
        link = f'<a rel="next" href="{number + 1}">Next page</a>' if number < last else ""
        charset = CHARSETS[(number + len(document)) % len(CHARSETS)] if fault == "charsets" else "utf-8"
        extra = {"shift_jis": "日本語", "windows-1251": "Весна", "gb18030": "春天", "iso-8859-1": "Frühling"}
        text = (
            f"<!DOCTYPE html><html><head><title>Story {document}, page {number}</title></head><body><main><h1>Story {document}</h1>"
            + "".join(f"<p>{paragraph} {extra.get(charset, 'é')}</p>" for paragraph in paragraphs)
            + f"</main><nav class=pager>{link}</nav></body></html>"
        )
        return text.encode(charset, "replace"), {"Content-Type": f"text/html; charset={charset}"}

    def send(self, body, head, status=200, length=None):
        self.send_response(status)
        for name, value in head.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def plainly(self, body, head, _):
        self.send(body, head)

    def do_reset(self, body, head, _):
        self.send(body[: len(body) // 2], head, length=len(body))
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def do_stall(self, body, head, _):
        self.send(body[:100], head, length=len(body))
        self.wfile.flush()
        time.sleep(4)
        self.close_connection = True

    def do_too_short(self, body, head, _):
        self.send(body[: len(body) // 2], head, length=len(body))
        self.close_connection = True

    def do_too_long(self, body, head, _):
        self.send(body, head, length=len(body) // 2)
        self.close_connection = True

    def do_cut_chunks(self, body, head, _):
        self.send_response(200)
        self.send_header("Content-Type", head["Content-Type"])
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n" % len(body) + body[: len(body) // 3])
        self.close_connection = True

    def do_circle(self, body, head, _):
        self.send(b"", {"Location": self.path}, 302)

    def do_far_circle(self, body, head, _):
        port = self.server.server_address[1]
        self.send(b"", {"Location": f"http://{random.choice(HOSTS)}:{port}{self.path}"}, 307)

    def do_later(self, body, head, times):
        self.send(body if times > 1 else b"", head | {"Retry-After": "1"}, 200 if times > 1 else 429)

    def do_busy(self, body, head, times):
        self.send(b"busy", {"Content-Type": "text/plain"}, 503)

    def do_broken(self, body, head, times):
        self.wfile.write(b"HTTP/1.1 two hundred\r\n\r\n\x00\x01")
        self.close_connection = True

    def do_bomb(self, body, head, _):
        self.send(gzip.compress(b"x" * (60 << 20)), head | {"Content-Encoding": "gzip"})

    def do_cut_gzip(self, body, head, _):
        packed = gzip.compress(body)
        self.send(packed[: len(packed) // 2], head | {"Content-Encoding": "gzip"})

    def do_binary(self, body, head, _):
        self.send(bytes(range(256)) * 40, head)

    def do_empty(self, body, head, _):
        self.send(b"", head)

    def do_missing(self, body, head, _):
        self.send(b"gone", head, 404)

    def do_drip(self, body, head, _):
        self.send(b"", head, length=len(body))
        for byte in body[:30]:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            time.sleep(0.15)
        self.close_connection = True

    def do_headers(self, body, head, _):
        self.send(body, head | {f"X-Odd-{number}": "x" * 50 for number in range(150)})

    def do_controls(self, body, head, _):
        self.send(body.replace(b"</h1>", b"\x1b[31m\xc2\x9b2J\xe2\x80\xae</h1>"), head)

    def do_plain(self, body, head, _):
        self.send(b"A text.\n\n" + b"It has lines that go on.\n" * 60, {"Content-Type": "text/plain"})

    def do_partial(self, body, head, _):
        self.send(body[:500], head | {"Content-Range": f"bytes 0-499/{len(body)}"}, 206)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        pass


def urls(port, chance, count, first):
    made = []
    for number in range(first, first + count):
        fault = chance.choice(FAULTS).replace(" ", "-")
        made.append(f"http://{chance.choice(HOSTS)}:{port}/{number}/{fault}/1")
    return made


def command(folder, archive=None):
    arguments = [
        TSUGI, "join", "-q", "--input", str(folder / "urls.txt"), "-o", str(folder / "out"), "-f", "json",
        "--allow-private", "127.0.0.0/8", "--delay", "0", "--retries", "1", "--timeout", "1.5", "--max-pages", "8",
        "--max-time", "25", "--max-body", "8", "--jobs", "12",
    ]  # fmt: skip
    return arguments + (["--save", str(archive)] if archive else [])


def start(arguments):
    return subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def ended(process, limit=300):
    """Waits for a process; returns its exit code, what it said, and the most memory it held, in MiB."""
    said = []
    reader = threading.Thread(target=lambda: said.append(process.stderr.read()), daemon=True)
    reader.start()
    until = time.monotonic() + limit
    while True:
        done, status, usage = os.wait4(process.pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() > until:
            problem(f"no end within {limit} s: {process.args}")
            process.kill()
            until += limit
        time.sleep(0.02)
    process.returncode = os.waitstatus_to_exitcode(status)
    reader.join(5)
    return process.returncode, b"".join(said).decode("utf-8", "replace"), usage.ru_maxrss / 1024


def lines(path):
    if not path.exists():
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check_folder(folder, expected, what):
    """Each URL is in the index or in the failures exactly once, and there are no other files than those of the index."""
    out = folder / "out"
    index, failed = lines(out / "index.jsonl"), lines(out / "failed.jsonl")
    told = [line["url"] for line in index + failed]
    for url in set(expected) | set(told):
        if told.count(url) != 1 or url not in expected:
            problem(f"{what}: {url} is listed {told.count(url)} times")
    files = {line["file"] for line in index}
    found = {path.name for path in out.iterdir()} - {"index.jsonl", "failed.jsonl", ".lock"}
    for name in files ^ found:
        problem(f"{what}: {name} is {'missing' if name in files else 'a stray file'}")
    for name in files & found:
        try:
            json.loads((out / name).read_text(encoding="utf-8"))
        except ValueError as error:
            problem(f"{what}: {name} is not whole: {error}")
    return index, failed


def check_archive(archive, what):
    checked = subprocess.run([WORK / "venv/bin/warcio", "check", str(archive)], capture_output=True, text=True)
    if checked.returncode:
        problem(f"{what}: warcio check: {checked.stdout.strip() or checked.stderr.strip()}")


def killed_batch(port, chance, number, memory):
    folder = WORK / f"batch-{number}"
    folder.mkdir()
    wanted = urls(port, chance, 40, number * 1000)
    (folder / "urls.txt").write_text("\n".join(wanted) + "\n")
    archive = folder / "kept.warc.gz"
    kills = 0
    for _ in range(chance.randrange(1, 5)):
        process = start(command(folder, archive))
        time.sleep(chance.uniform(0.05, 4))
        process.send_signal(chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
        code, said, most = ended(process)
        kills += code in (-signal.SIGKILL, -signal.SIGTERM, 130)
        memory.append(most)
        if code not in (-signal.SIGKILL, -signal.SIGTERM, 130, 0, 3, 4):
            problem(f"batch {number}: exit code {code}: {said[-500:]}")
    code, said, most = ended(start(command(folder, archive)))
    memory.append(most)
    if code not in (0, 3, 4):
        problem(f"batch {number}: exit code {code} in the end: {said[-500:]}")
    index, failed = check_folder(folder, wanted, f"batch {number}")
    cut_short = [line for line in index if line["stopped"]["reason"] in ("fetch-failed", "max-time")]
    if (code == 0) != (not failed and not cut_short):
        problem(f"batch {number}: exit code {code} with {len(failed)} failures and {len(cut_short)} documents cut short")
    if archive.exists():
        check_archive(archive, f"batch {number}")
        check_replay(folder, archive, index, chance, number)
        damage(archive, folder, chance, number)
    shutil.rmtree(folder)
    return kills, len(index), len(failed)


def check_replay(folder, archive, index, chance, number):
    """What an archive gives is what the network gave."""
    whole = [line for line in index if line["complete"]]
    for line in chance.sample(whole, min(3, len(whole))):
        again = subprocess.run(
            [TSUGI, "join", "-q", "-f", "json", "--max-pages", "8", "--pages", str(archive), line["url"]],
            capture_output=True,
        )
        if again.stdout != (folder / "out" / line["file"]).read_bytes():
            problem(f"batch {number}: the archive gives another document for {line['url']}")


def damage(archive, folder, chance, number):
    """A damaged archive is read as far as possible, and named; nothing crashes."""
    held = archive.read_bytes()
    plain = gzip.decompress(held)
    for round_ in range(6):
        bytes_ = bytearray(chance.choice([held, plain]))
        if not bytes_:
            return
        if round_ % 2:
            bytes_ = bytes_[: chance.randrange(len(bytes_))]
        else:
            for _ in range(chance.randrange(1, 4)):
                bytes_[chance.randrange(len(bytes_))] ^= 1 << chance.randrange(8)
        damaged = folder / "damaged.warc"
        damaged.write_bytes(bytes_)
        scanned = subprocess.run([TSUGI, "scan", str(damaged)], capture_output=True)
        if scanned.returncode not in (0, 1, 3, 4):
            problem(f"batch {number}: scan of a damaged archive: exit code {scanned.returncode}: {scanned.stderr[-500:]}")
        for line in scanned.stdout.splitlines():
            json.loads(line)


def full_disk(port, chance, number):
    """A disk that is full: the user's file is named, and the next run, with more room, loses nothing."""
    folder = WORK / f"disk-{number}"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        return False
    try:
        wanted = [url for url in urls(port, chance, 60, number * 1000) if "/none/" in url or "/plain/" in url]
        (folder / "urls.txt").write_text("\n".join(wanted) + "\n")
        code, said, _ = ended(start(command(folder, folder / "kept.warc.gz")))
        if code != 3 or "No space left" not in said or ".part" in said or str(folder) not in said:
            problem(f"full disk: exit code {code}: {said[-500:]}")
        subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)
        code, said, _ = ended(start(command(folder, folder / "kept.warc.gz")))
        if code not in (0, 4):
            problem(f"full disk, with more room: exit code {code}: {said[-500:]}")
        check_folder(folder, wanted, "full disk")
        check_archive(folder / "kept.warc.gz", "full disk")
    finally:
        subprocess.run(["umount", str(folder)], check=False)
    return True


def long_batch(port, chance, seconds):
    """One process for a long time: the memory that it holds does not grow."""
    folder = WORK / "long"
    folder.mkdir()
    wanted = urls(port, chance, int(seconds * 60) + 200, 10_000_000)
    (folder / "urls.txt").write_text("\n".join(wanted) + "\n")
    process = start(command(folder) + ["--max-run-time", str(seconds)])
    held = []
    while process.poll() is None and len(held) < seconds * 10 + 600:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
            held += [int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")]
        except OSError:
            break
        time.sleep(0.2)
    process.communicate()
    if process.returncode not in (0, 3, 4):
        problem(f"long batch: exit code {process.returncode}")
    out = folder / "out"
    told = [line["url"] for line in lines(out / "index.jsonl") + lines(out / "failed.jsonl")]
    if len(told) != len(set(told)) or not set(told) <= set(wanted):
        problem("long batch: a URL is listed twice, or was not asked for")
    # The first quarter fills what is kept between documents.
    quarter = max(1, len(held) // 4)
    before, after = (statistics.quantiles(part, n=20)[-1] for part in (held[quarter : 2 * quarter], held[-quarter:]))
    if after > before * 1.25 + 30:
        problem(f"long batch: memory grew from {before:.0f} to {after:.0f} MiB")
    shutil.rmtree(folder)
    return len(told), before, after


def main():
    for left in WORK.glob("batch-*"):
        shutil.rmtree(left)
    for left in [WORK / "long", *WORK.glob("disk-*")]:
        shutil.rmtree(left, ignore_errors=True)
    chance = random.Random(SEED)
    server = Server((HOSTS[0], 0), Site)
    port = server.server_address[1]
    servers = [server] + [Server((host, port), Site) for host in HOSTS[1:]]
    for each in servers:
        threading.Thread(target=each.serve_forever, daemon=True).start()
    begin = time.monotonic()
    documents, before, after = long_batch(port, chance, SECONDS * 0.3)
    print(f"long batch: {documents} URLs, memory {before:.0f} MiB, then {after:.0f} MiB", flush=True)
    disk = full_disk(port, chance, 1)
    if not disk:
        print("NOT CHECKED: the full disk (no file system in memory can be mounted)")
    memory, rounds, kills, done, failed = [], 0, 0, 0, 0
    while time.monotonic() - begin < SECONDS:
        rounds += 1
        some = killed_batch(port, chance, rounds + 10, memory)
        kills, done, failed = kills + some[0], done + some[1], failed + some[2]
    for each in servers:
        each.shutdown()
    strays = [path for path in WORK.iterdir() if path.name not in ("venv",) and not path.name.startswith("disk-")]
    for path in strays:
        problem(f"stray: {path}")
    print(
        f"{time.monotonic() - begin:.0f} s, seed {SEED}: {rounds} batches, {kills} kills, {done} documents, {failed} failures; "
        f"most memory {max(memory, default=0):.0f} MiB, median {statistics.median(memory or [0]):.0f} MiB; "
        f"{len(problems)} problems"
    )
    sys.exit(1 if problems else 0)


main()
