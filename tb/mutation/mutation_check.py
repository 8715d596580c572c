#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the tests notice a mistake? Exchanges an operator or a constant at places drawn at random in the sources of some rooms, one at a time,
and runs the tests: a mutant that no test fails for survives. Mutants of which equivalent.json says why they compute the same are passed over.
Works on copies of the checkout as it is committed, under --work. Prints each mutant with its place in the order drawn, at the end those that survive, and a line of counts; exit status 1 if less than --least of them is caught."""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import queue
import resource
import shutil
import subprocess
import sys
import threading
import time

from mutants import EQUIVALENT, Equivalents, drawn, mutants_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Which tests are likely to notice a mistake in a room, the quickest first: parts of the build, and which of their tests.
SUB_CORE = [
    (["tc_unit_subcore", "tc_unit_lanes", "tc_unit_links"], "^(subcore|lanes|links)/"),
    (["tc_unit_device", "tc_unit_tensor_programs"], "^(device|tensor_programs)/"),
    (["tc_unit_engine", "tc_silicon", "tcsim", "tc_random_programs"], "^(engine|silicon|random)/"),
]
STAGES = {
    "numerics": [(["tc_unit_numerics", "tc_unit_study"], "^(numerics|study)/"), (["tc_unit_subcore", "tc_unit_engine", "tc_unit_device", "tcsim"], "^(subcore|engine|device)/")],
    "warp": SUB_CORE, "lanes": SUB_CORE, "links": SUB_CORE, "subcore": SUB_CORE,
}


@dataclasses.dataclass
class Verdict:
    mutant: object
    kind: str  # "caught", "survives", "does not compile" or "computes the same"
    by: str = ""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=100, help="that compile (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="of the places (default 1)")
    parser.add_argument("--skip", type=int, default=0, help="so many of the drawn places, which a run that was stopped has judged (default 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="copies to work on (default: one for each processor)")
    parser.add_argument("--least", type=float, default=90, help="per cent that must be caught (default 90)")
    parser.add_argument("--rooms", nargs="+", choices=list(STAGES), default=list(STAGES))
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "mutation", help="folder for the copies")
    parser.add_argument("--check-list", action="store_true", help=f"only say which entries of {EQUIVALENT.name} have no place in the sources")
    return parser.parse_args()


def limit_memory():
    """A loop without end must not take all there is."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


class Copy:
    """A clone with a build of its own."""

    def __init__(self, folder):
        self.folder = folder
        if not (folder / ".git").exists():
            shutil.rmtree(folder, ignore_errors=True)
            self.call(["git", "clone", "--quiet", "--shared", str(ROOT), str(folder)], cwd=ROOT)
        self.call(["git", "fetch", "--quiet", str(ROOT), "HEAD"])
        self.call(["git", "checkout", "--quiet", "--force", "FETCH_HEAD"])
        self.call(["bash", "-c", "source tools/setup.sh; configure single"])

    def call(self, command, cwd=None):
        done = subprocess.run(command, cwd=cwd or self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")

    def build(self, targets):
        """Whether the targets that there are could be built."""
        built = subprocess.run(["cmake", "--build", "--preset", "single", "--parallel", "1", "--target", *targets], cwd=self.folder, capture_output=True, text=True)
        return built.returncode == 0

    def failing_test(self, tests):
        """The first test that fails; None if all pass."""
        ran = subprocess.run(
            ["ctest", "--test-dir", "build/single", "--tests-regex", tests, "--stop-on-failure", "--parallel", "1", "--timeout", "60"],
            cwd=self.folder, capture_output=True, text=True, preexec_fn=limit_memory)
        if ran.returncode == 0:
            return None
        failed = [line for line in ran.stdout.splitlines() if "***" in line and "***Skipped" not in line]
        return failed[0].split(":", 1)[1].split(" .")[0].strip() if failed else "ctest"

    def prepare(self, rooms, number, copies):
        """Builds what mutants of the rooms need, so that each costs what depends on its file alone, and finds tests that fail anyway: each of
        several copies looks at some."""
        stages = []
        for stage in (stage for room in rooms for stage in STAGES[room]):
            if stage not in stages:
                stages.append(stage)
        if not self.build([target for targets, _ in stages for target in targets]):
            raise SystemExit("without a mutant, the tests do not build")
        for _, tests in stages[number::copies]:
            if test := self.failing_test(tests):
                raise SystemExit(f"without a mutant, {test} fails")

    def judge(self, mutant, room):
        path = self.folder / mutant.file
        source = path.read_text()
        path.write_text(mutant.applied(source))
        try:
            for targets, tests in STAGES[room]:
                if not self.build(targets):
                    return Verdict(mutant, "does not compile")
                if test := self.failing_test(tests):
                    return Verdict(mutant, "caught", test)
            return Verdict(mutant, "survives")
        finally:
            path.write_text(source)


def room_of(file):
    return pathlib.Path(file).parts[2]


def places_in(rooms):
    places = []
    for room in rooms:
        for path in sorted((ROOT / "model" / "tc" / room).rglob("*.[ch]pp")):
            places += mutants_of(str(path.relative_to(ROOT)), path.read_text())
    return places


def is_judged(verdict):
    return verdict.kind in ("caught", "survives")


def check_list(lost):
    for entry in lost:
        print(f"{EQUIVALENT.name}: no such place any more: {entry['file']}: {entry['exchange']}: {entry['line']}")
    return 1 if lost else 0


def work(copy, waiting, equivalents, verdicts, wanted, lock, begin):
    """Judges mutants until enough have been."""
    while True:
        with lock:
            if sum(is_judged(verdict) for verdict in verdicts) >= wanted:
                return
        try:
            number, mutant = waiting.get_nowait()
        except queue.Empty:
            return
        reason = equivalents.reason(mutant)
        verdict = Verdict(mutant, "computes the same", reason) if reason else copy.judge(mutant, room_of(mutant.file))
        with lock:
            verdicts.append(verdict)
            print(f"{time.monotonic() - begin:7.0f} s {number:4} {verdict.kind:16} {mutant}" + (f"  ({verdict.by})" if verdict.by else ""), flush=True)


def main():
    options = parse_arguments()
    places = places_in(options.rooms)
    equivalents = Equivalents(places)
    if options.check_list:
        return check_list(equivalents.lost)
    waiting, verdicts = queue.SimpleQueue(), []
    for number, mutant in list(enumerate(drawn(places, options.seed), 1))[options.skip :]:
        waiting.put((number, mutant))
    copies = [Copy(options.work / str(number)) for number in range(options.jobs)]
    lock, begin = threading.Lock(), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for task in [pool.submit(copy.prepare, options.rooms, number, len(copies)) for number, copy in enumerate(copies)]:
            task.result()
        for task in [pool.submit(work, copy, waiting, equivalents, verdicts, options.mutants, lock, begin) for copy in copies]:
            task.result()

    judged = [verdict for verdict in verdicts if is_judged(verdict)]
    same = sum(verdict.kind == "computes the same" for verdict in verdicts)
    survivors = [verdict for verdict in judged if verdict.kind == "survives"]
    print("\nsurvivors:" if survivors else "")
    for verdict in survivors:
        print(f"  {verdict.mutant}")
    for room in options.rooms:
        of_room = [verdict for verdict in judged if room_of(verdict.mutant.file) == room]
        caught = sum(verdict.kind == "caught" for verdict in of_room)
        print(f"{room:10} {len(of_room):5} mutants {caught:5} caught")
    share = 100 * (len(judged) - len(survivors)) / max(1, len(judged))
    print(f"mutation: {len(judged)} mutants of {len(places)} places, {share:.1f} % caught, {same} compute the same, "
          f"{len(verdicts) - len(judged) - same} did not compile (seed {options.seed})")
    return 0 if share >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
