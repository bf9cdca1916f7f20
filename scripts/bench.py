"""Measures speed and writes it down, for `scripts/bench`. Standard library only.

  bench.py others SPEED OTHERS PYTHON DATA OUT      beside other extractors, page by page
  bench.py command TSUGI DATA OUT                   the whole command: time, threads, memory, start
  bench.py instructions SPEED DATA OUT              instructions a stage takes, counted by valgrind
  bench.py machine PART OUT                         writes down where and when a part was measured
  bench.py report OUT REPORT                        the report, of what was measured

OUT is the folder of results; each part writes OUT/PART.json.
"""
import datetime
import json
import os
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

# Pages that others are run on: one in so many of a data set, and how often; the least of all turns counts.
SAMPLED = {"wcxb": 3, "sites": 3}
TURNS = 2
# A page that takes an extractor longer is given up.
LONGEST = 60

OURS = ["parse", "next link", "tsugi"]
RUST = ["rs-trafilatura", "dom_smoothie", "legible", "trafilatura"]
PYTHON = [
    "tsugi, Python", "trafilatura", "trafilatura, fast", "resiliparse", "readability-lxml", "newspaper4k", "parsel", "autopager",
]
NO_CONTENT = {"parse", "next link", "parsel", "autopager"}
# What parses for whom.
PARSERS = {"next link": "parse", "autopager": "parsel"}

# Pages whose instructions are counted: one in so many.
COUNTED = {"wcxb": 75, "sites": 40}


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def write(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


# Beside others


class Runner:
    """A process that runs an extractor on one page at a time."""

    def __init__(self, tool, command):
        self.tool, self.command, self.process = tool, command, None
        self.seconds, self.texts, self.errors = {}, {}, {}

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def ask(self, number):
        """The answer for a page; a process that died or takes too long is replaced."""
        if not self.process:
            self.start()
        try:
            self.process.stdin.write(b"%d\n" % number)
            self.process.stdin.flush()
            ready, _, _ = select.select([self.process.stdout], [], [], LONGEST)
            line = self.process.stdout.readline() if ready else b""
        except BrokenPipeError:
            ready, line = True, b""
        if line:
            return json.loads(line)
        self.stop()
        return {"seconds": LONGEST if not ready else None, "text": "", "error": "died" if ready else "too long"}

    def run(self, number):
        answer = self.ask(number)
        if answer["seconds"] is not None:
            self.seconds[number] = min(answer["seconds"], self.seconds.get(number, LONGEST))
        self.texts[number] = answer["text"]
        if "error" in answer:
            self.errors[number] = answer["error"]


CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
TOKEN = re.compile(rf"[{CJK}]|[^\W{CJK}]+")


def text_f(found, label, wcxb):
    """F over bags of tokens: words in lower case, characters of CJK; pages of wcxb have that benchmark's own rule."""
    def tokens(text):
        return Counter(re.findall(r"\w+", text.lower()) if wcxb else TOKEN.findall(text.lower()))
    found, label = tokens(found), tokens(label)
    if not found or not label:
        return float(not found and not label)
    shared = sum((found & label).values())
    return 2 * shared / (sum(found.values()) + sum(label.values()))


def versions():
    folder = Path(__file__).parent / "bench-others"
    rust = dict(re.findall(r'^([\w-]+) = "=([\d.]+)"', (folder / "Cargo.toml").read_text(), re.M))
    python = dict(re.findall(r"^([\w-]+)==([\d.]+)", (folder / "requirements.txt").read_text().lower(), re.M))
    return rust, python


def others(speed, other, python, data, out):
    rust_versions, python_versions = versions()
    results, missing = [], []
    for name, every in SAMPLED.items():
        folder = Path(data) / name
        if not (folder / "pages.warc.gz").exists():
            missing.append({"what": f"data set {name}", "why": "not there"})
            continue
        with tempfile.TemporaryDirectory() as sample:
            subprocess.run([speed, "sample", str(every), folder / "pages.warc.gz", sample], check=True)
            runners = {(tool, "Rust"): Runner(tool, [speed, "serve", tool, sample]) for tool in OURS}
            if Path(other).exists():
                runners |= {(tool, "Rust"): Runner(tool, [other, tool, sample]) for tool in RUST}
            else:
                missing.append({"what": "extractors in Rust", "why": "they could not be built"})
            script = Path(__file__).parent / "bench-others" / "others.py"
            for tool in PYTHON:
                loads = [python, str(script), tool, sample]
                if Path(python).exists() and subprocess.run(loads, stdin=subprocess.DEVNULL).returncode == 0:
                    runners[tool, "Python"] = Runner(tool, loads)
                else:
                    missing.append({"what": f"{tool} (Python)", "why": "it could not be installed"})
            pages = read_lines(Path(sample) / "pages.jsonl")
            # A page is run by all before the next one is; who begins changes, so that nobody finds the caches warm.
            order = list(runners.values())
            for page in pages:
                for turn in range(TURNS):
                    shift = (page["number"] + turn) % len(order)
                    for runner in order[shift:] + order[:shift]:
                        runner.run(page["number"])
            for runner in order:
                runner.stop()
        for tool, runner in list(runners.items()):
            if not runner.seconds:
                missing.append({"what": " in ".join(tool), "why": "it failed on every page"})
                del runners[tool]
        labels = {label["url"]: label for label in read_lines(folder / "labels.jsonl")}
        results.append(compared(name, pages, labels, runners, out, rust_versions, python_versions))
        print(f"{name}: {len(pages)} pages by {len(order)} tools", file=sys.stderr)
    write(Path(out) / "others.json", {"turns": TURNS, "sets": results, "missing": missing})


def compared(name, pages, labels, runners, out, rust_versions, python_versions):
    labelled = [page for page in pages if labels.get(page["url"], {}).get("text") is not None]
    validated = Path(out).parent / "cross-validation" / f"{name}.jsonl"
    of_page = {line["url"]: line.get("text_f") for line in read_lines(validated)}
    ours = [of_page.get(page["url"]) for page in labelled]
    our_f = statistics.fmean(value for value in ours if value is not None)
    tools = []
    for (tool, language), runner in runners.items():
        base = runners["next link" if tool == "autopager" else "tsugi", "Rust"].seconds
        timed = [page for page in pages if page["number"] in runner.seconds]
        seconds = sum(runner.seconds[page["number"]] for page in timed)
        ratios = [runner.seconds[page["number"]] / base[page["number"]] for page in timed]
        row = {
            "tool": tool, "language": language,
            "version": None if tool in OURS else
            (rust_versions if language == "Rust" else python_versions).get(tool.split(",")[0]),
            "pages": len(timed), "seconds": seconds, "pages_per_second": len(timed) / seconds,
            "megabytes_per_second": sum(page["bytes"] for page in timed) / seconds / 1e6,
            "times_ours": seconds / sum(base[page["number"]] for page in timed),
            "times_ours_median": statistics.median(ratios),
            "errors": dict(Counter(re.sub(r":.*", "", error) for error in runner.errors.values())),
        }
        # Ours were trained on these pages: what counts is what models that saw no page of the site got.
        if tool in ("tsugi", "tsugi, Python"):
            row["f"] = our_f
        elif tool not in NO_CONTENT:
            found = (text_f(runner.texts[page["number"]], labels[page["url"]]["text"],
                            labels[page["url"]].get("source") == "wcxb") for page in labelled)
            row["f"] = statistics.fmean(found)
        tools.append(row)
    return {"set": name, "every": SAMPLED[name], "pages": len(pages), "labelled": len(labelled),
            "bytes": sum(page["bytes"] for page in pages), "tools": tools}


# The whole command


def run(command):
    """Seconds, and the most memory held, in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    # Exit code 4: some records were passed over.
    if os.waitstatus_to_exitcode(status) not in (0, 4):
        sys.exit(f"{command} failed")
    return seconds, usage.ru_maxrss / 1024


SMALL = "<!DOCTYPE html><html lang=en><title>A small page</title><h1>A small page</h1>" + "".join(
    f"<p>Paragraph {number} says a few words, and then a few more, so that it is one.</p>" for number in range(12)
) + "<div class=pages><a href=1.html>1</a> <a href=2.html>2</a> <a href=2.html>Next</a></div>"


def command(tsugi, data, out):
    help_text = subprocess.run([tsugi, "scan", "--help"], capture_output=True, text=True, check=True).stdout
    jobs = [1, 2] if "--jobs" in help_text else [None]
    archive = Path(data) / "wcxb" / "pages.warc.gz"
    scans = []
    with tempfile.TemporaryDirectory() as folder:
        for times in (1, 2, 4) if archive.exists() else ():
            # Members of gzip stand one after the other: so do archives.
            path = Path(folder) / "pages.warc.gz"
            with open(path, "wb") as file:
                for _ in range(times):
                    file.write(archive.read_bytes())
            runs = {count: [] for count in jobs}
            for _ in range(3 if times == 1 else 1):
                for count in jobs:
                    options = [] if count is None else ["--jobs", str(count)]
                    runs[count].append(run([tsugi, "scan", *options, path, "-o", Path(folder) / "pages.jsonl"]))
            for count, found in runs.items():
                scans.append({"archive": times, "jobs": count, "runs": len(found),
                              "seconds": min(seconds for seconds, _ in found),
                              "megabytes": max(memory for _, memory in found)})
                print(scans[-1], file=sys.stderr)
        page = Path(folder) / "page.html"
        page.write_text(SMALL, encoding="utf-8")
        starts = {}
        for what, arguments in (("scan of a small page", ["scan", page]), ("--version", ["--version"])):
            runs = sorted(run([tsugi, *arguments])[0] for _ in range(50))
            starts[what] = {"runs": 50, "least": runs[0], "median": statistics.median(runs), "most": runs[-1]}
    write(Path(out) / "command.json", {"scans": scans, "starts": starts, "page_bytes": len(SMALL)})


# Instructions


def instructions(speed, data, out):
    results = []
    for name, every in COUNTED.items():
        archive = Path(data) / name / "pages.warc.gz"
        if not archive.exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            counts = Path(folder) / "counts"
            counted = subprocess.run(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}",
                 speed, "stages", str(every), f"{name}={archive}"],
                check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            stages = called(counts, "speed::stages::")
        pages = int(counted.stdout)
        stages = {stage.replace("_", " "): count // pages for stage, count in stages.items()}
        results.append({"set": name, "every": every, "pages": pages, "stages": stages})
    write(Path(out) / "instructions.json", results)


def called(path, prefix):
    """Instructions of all calls of the functions with a prefix, what they call included, of a file of callgrind's."""
    names, counts, callee = {}, Counter(), None
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith(("fn=", "cfn=")):
                # A name is written out once, and is a number from then on.
                key, _, name = line.split("=", 1)[1].strip().partition(" ")
                if name:
                    names[key] = name
                if line.startswith("cfn="):
                    callee = names[key]
            elif line.startswith("calls="):
                cost = next(lines).split()[1]
                if callee.startswith(prefix) and callee.removeprefix(prefix).isidentifier():
                    counts[callee.removeprefix(prefix)] += int(cost)
    return counts


# What was measured, where


def machine(part, out):
    """Adds to OUT/machine.json where and when a part was measured."""
    def said(*arguments):
        return subprocess.run(arguments, capture_output=True, text=True).stdout.strip()
    info = Path("/proc/cpuinfo").read_text()
    memory = int(re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text()).group(1))
    changed = said("git", "status", "--porcelain", "--untracked-files=no", "--", "crates", "Cargo.lock")
    path = Path(out) / "machine.json"
    machines = json.loads(path.read_text()) if path.exists() else {}
    machines[part] = {
        "cpu": re.search(r"model name\s*:\s*(.+)", info).group(1), "cores": info.count("processor\t"),
        "memory": f"{memory / 2**20:.0f} GB", "system": f"{os.uname().sysname} {os.uname().release.split('-')[0]}",
        "rustc": said("rustc", "--version").split("(")[0].strip(), "python": sys.version.split()[0],
        "date": datetime.date.today().isoformat(),
        "commit": said("git", "rev-parse", "--short=10", "HEAD") + (" with changes" if changed else ""),
    }
    write(path, dict(sorted(machines.items())))


# The report


def table(head, rows):
    align = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in [head, align, *rows]) + "\n"


def number(value):
    """Three digits, without a power of ten."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def report(out, path):
    out = Path(out)

    def held(part):
        file = out / f"{part}.json"
        return json.loads(file.read_text()) if file.exists() else None

    parts = [
        (held("ratios"), ratios_text), (held("others"), others_text), (held("command"), command_text),
        (held("instructions"), instructions_text), (held("growth"), growth_text),
    ]
    text = INTRODUCTION + machine_text(held("machine") or {})
    text += "".join("\n" + write_part(found) for found, write_part in parts if found)
    graphs = [f"![Flame graph, {what}]({out.name}/flame-{what}.svg)\n" for what in ("before", "after")
              if (out / f"flame-{what}.svg").exists()]
    if graphs:
        text += "\n## Where the time goes\n\nFlame graphs of a scan of wcxb by one thread (`scripts/flame-graph`), before " \
                "the detectors were made fast and after. Width is time; what stands on a frame was called by it.\n\n"
        text += "\n".join(graphs)
    Path(path).write_text(text, encoding="utf-8")


INTRODUCTION = """# Speed

What does finding the next link and the main content cost beside reading the HTML? Everything here but the flame graph
“before”, which is kept, is made by `scripts/bench DATA` of its results in `speed/`; times are of one thread unless said otherwise.

"""


def machine_text(machines):
    rows = {}
    for part, found in machines.items():
        rows.setdefault(tuple(found.values()), []).append(part)
    return table(["measured", "processor", "cores", "memory", "system", "compiler", "Python", "date", "commit"],
                 [[", ".join(names), *found] for found, names in rows.items()])


def pace(found):
    """How much of a data set one core scans."""
    pages = 1e6 / found["microseconds"]["scan"]
    return f"{number(pages)} pages a second and {pages * found['bytes'] / found['pages'] * 3600 / 1e9:.0f} GB an hour ({found['set']})"


def ratios_text(sets):
    first = sets[0]
    text = "## Beside html5ever\n\nThe measure is decoding a page and reading it by html5ever's tokenizer and tree builder into our " \
           f"tree, nothing else. Each page is run {first['turns']} times in each way, taking turns, and the least time counts. The " \
           "ratio is of a page's time to that of html5ever.\n\n"
    rows = []
    for found in sets:
        pages = f"{found['set']}, {found['pages']:,} pages of {found['bytes'] / found['pages'] / 1000:.0f} KB"
        rows.append([pages, "html5ever", number(found["microseconds"]["html5ever"]), "1", "", "", "1"])
        for way, what in (("parse", "our parser"), ("next", "+ next link"), ("scan", "+ content, text, line")):
            ratio = found[way]
            rows.append(["", what, number(found["microseconds"][way]), f"**{ratio['median']:.3f}**",
                         "–".join(f"{value:.3f}" for value in ratio["quartiles"]),
                         "–".join(f"{value:.3f}" for value in ratio["tails"]), f"{ratio['of_sums']:.3f}"])
    text += table(["data set", "what", "µs a page", "median ratio", "half of the pages", "nine in ten", "ratio of sums"], rows)
    text += "\nOf whole scans on one core: " + "; ".join(pace(found) for found in sets) + ".\n"
    text += "\nThe stages, each by itself, in µs a page and as a share of decoding and parsing. They are what a scan runs " \
            "through, taken apart, so that they need not add up to the whole.\n\n"
    floors = [sum(stage["microseconds"] for stage in found["stages"][:2]) for found in sets]
    rows = []
    for at, stage in enumerate(first["stages"]):
        row = [stage["stage"]]
        for found, floor in zip(sets, floors):
            time_of = found["stages"][at]["microseconds"]
            row += [number(time_of), f"{time_of / floor:.3f}"]
        rows.append(row)
    return text + table(["stage"] + [cell for found in sets for cell in (f"{found['set']}, µs", "share")], rows)


def others_text(found):
    text = "## Beside others\n\nA page's HTML, decoded, goes in, and its main text comes out; of autopager, and of “next " \
           "link”, the next page's address. Start-up and loading of models are not counted, for nobody. Every page is run by " \
           f"all tools before the next one is, {found['turns']} times, and the least time counts. F is that of the text with the " \
           "label over bags of tokens; ours is from models that saw no page of the site (`cross-validation/`). Pages on " \
           "which a tool fails count as empty texts. How many times our time: of all pages together, and the median of " \
           "pages; of autopager beside “next link”, of all others beside “tsugi”.\n"
    for compared_set in found["sets"]:
        ours = next(row["f"] for row in compared_set["tools"] if row["tool"] == "tsugi")
        text += f"\n{compared_set['set']}: one page in {compared_set['every']}, {compared_set['pages']} pages, " \
                f"{compared_set['bytes'] / 1e6:.0f} MB.\n\n"
        rows = []
        for row in sorted(compared_set["tools"], key=lambda row: row["seconds"]):
            f = row.get("f")
            name = {"parse": "*our parser alone*", "parsel": f"*parsel {row['version']} alone, Python*", "next link": "**tsugi**, next link alone", "tsugi": "**tsugi**"}.get(
                row["tool"], f"{row['tool']} {row['version'] or ''}, {row['language']}")
            errors = ", ".join(f"{count} {what[:60]}" for what, count in sorted(row["errors"].items()))
            rows.append([name, number(row["pages_per_second"]), number(row["megabytes_per_second"]),
                         number(row["seconds"]), number(row["times_ours"]), number(row["times_ours_median"]),
                         "" if f is None else f"{f:.3f}",
                         "" if f is None or row["tool"] == "tsugi" else ("yes" if f >= 0.9 * ours else "no"), errors])
        by_tool = {row["tool"]: row["seconds"] for row in compared_set["tools"]}
        text += table(["tool", "pages/s", "MB/s", "seconds", "× ours", "× ours, median", "text F", "90 % of our F", "failed on"], rows)
        if "autopager" in by_tool and "parsel" in by_tool:
            # Each beside its own parser: what finding the link itself costs.
            their, own = (by_tool[tool] - by_tool[PARSERS[tool]] for tool in ("autopager", "next link"))
            text += f"\nWithout parsing, which autopager leaves to parsel, it takes {number(their)} s, and our next link takes " \
                    f"{number(own)} s: {number(their / own)} times as fast.\n"
    if found["missing"]:
        text += "\nNot measured: " + "; ".join(f"{one['what']}: {one['why']}" for one in found["missing"]) + ".\n"
    return text


def command_text(found):
    text = "## The command\n\n"
    if found["scans"]:
        text += "`tsugi scan` of the archive of wcxb, and of the same archive two and four times over: seconds from start to " \
                "exit (the least of the runs), and the peak of memory.\n\n"
        single = {scan["archive"]: scan["seconds"] for scan in found["scans"] if scan["jobs"] in (1, None)}
        rows = [[f"{scan['archive']} ×", scan["jobs"] or 1, scan["runs"], number(scan["seconds"]),
                 f"{single[scan['archive']] / scan['seconds']:.2f}", f"{scan['megabytes']:.0f}"] for scan in found["scans"]]
        text += table(["archive", "threads", "runs", "seconds", "× as fast as one thread", "MB"], rows) + "\n"
    text += f"Start-up: `tsugi scan` of one page of {found['page_bytes']} bytes, models included, and of a run that only says its " \
            "version.\n\n"
    rows = [[what, one["runs"], *(f"{1000 * one[which]:.1f}" for which in ("least", "median", "most"))]
            for what, one in found["starts"].items()]
    return text + table(["run", "runs", "least, ms", "median, ms", "most, ms"], rows)


def instructions_text(sets):
    text = "## Instructions\n\nCounted by valgrind (`callgrind`), in thousands a page, and as a share of decoding and parsing. They " \
           "hardly change from run to run, so that they tell what a change of the code did.\n\n"
    floors = [found["stages"]["decode"] + found["stages"]["parse"] for found in sets]
    rows = []
    for stage in sets[0]["stages"]:
        row = [stage]
        for found, floor in zip(sets, floors):
            count = found["stages"].get(stage, 0)
            row += [f"{count / 1000:,.0f}", f"{count / floor:.3f}"]
        rows.append(row)
    names = [f"{found['set']}, {found['pages']} pages" for found in sets]
    order = ["decode", "parse", "link survey", "link first look", "link second look", "unfollowable", "block context",
             "block tokens", "block rows", "block forest", "candidates", "candidate forest", "text", "line"]
    rows = sorted((row for row in rows if row[0] in order), key=lambda row: order.index(row[0]))
    return text + table(["stage"] + [cell for name in names for cell in (name, "share")], rows)


def growth_text(found):
    text = "## Growth\n\nMade-up pages in which one thing grows: time and memory of the largest, and the rise to it " \
           "from the smallest page that counts, as the power of the size that it is (1 is linear). Of all kinds of pages the " \
           "worst is shown; all of them and the plots are in [growth.md](speed/growth.md).\n\n"
    rows = []
    for axis in found["axes"]:
        powers = [one for one in found["powers"] if one["axis"] == axis["name"] and one["stage"] == "scan"]
        worst = {field: max((one for one in powers if one[field] is not None), key=lambda one: one[field], default=None)
                 for field in ("seconds", "megabytes")}
        largest = [one for one in found["results"] if one["axis"] == axis["name"] and one["stage"] == "scan"
                   and one["size"] == axis["sizes"][-1]]
        slow = max((one for one in largest if one["seconds"] is not None), key=lambda one: one["seconds"], default=None)
        big = max((one for one in largest if one["megabytes"] is not None), key=lambda one: one["megabytes"], default=None)
        def power(field):
            one = worst[field]
            return "" if one is None else f"{one[field]:.2f} ({one['shape']})"
        rows.append([f"{axis['unit']}, {axis['sizes'][0]:,} to {axis['sizes'][-1]:,}", len(axis["shapes"]),
                     "" if slow is None else f"{number(slow['seconds'])} s ({slow['shape']})", power("seconds"),
                     "" if big is None else f"{number(big['megabytes'])} MB ({big['shape']})", power("megabytes")])
    text += table(["what grows", "kinds of pages", "time of the largest", "power of time", "memory of the largest",
                   "power of memory"], rows)
    plots = [f"![Time by {axis['unit']}](speed/growth-{axis['name']}-time-1.svg)" for axis in found["axes"]]
    return text + "\n" + "\n".join(plots) + "\n"


PARTS = {"others": others, "command": command, "instructions": instructions, "machine": machine, "report": report}

if __name__ == "__main__":
    PARTS[sys.argv[1]](*sys.argv[2:])
