# SPDX-License-Identifier: Apache-2.0
"""The report of a run in a browser: runs kernels, writes their reports, and uses the pages as people do."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from selenium.webdriver.common.action_chains import ActionChains

from page import Page, browser

KERNEL = pathlib.Path(__file__).parents[2] / "traces/sm_75.tiled_f16_f32/kernel.trace"
NAME = "<img src=x onerror=alert(1)>"
TEXT = "HMMA </script><script>alert(2)</script>"

arguments = argparse.Namespace()


def made_series(run):
    """Four intervals, in which the run did the same each time."""
    ends = [run["cycles"] * part // 4 for part in (1, 2, 3, 4)]
    quarter = lambda count: [count // 4] * 3 + [count - 3 * (count // 4)]
    return {"interval": ends[0], "cycles": ends, "units": {path: {k: quarter(v) for k, v in unit.items()} for path, unit in run["units"].items()}}


def made_pictures():
    """Two warps of a sub-core, and a tensor memory that is written at once and then shifted twice."""
    warp = lambda slot: {
        "path": f"gpu.sm_0.sub_core_0.warp_{slot}",
        "resident": [[0, 200, 0, 7, slot]],
        "instructions": [[10 * slot, 40, 0, 0x120, 33], [50, 60, 1, 0x130, 34]],
        "stalls": [[10 * slot + 1, 50, 2]],
    }
    clears = [[90, 2, 32 * chunk, 32, 0, 512, 1] for chunk in range(4)]
    writes = [[100, 0, 32 * chunk, 32, 0, 16, 0] for chunk in range(4)]
    shifts = [[cycle, 1, 32 * chunk, 32, 8, 8, 1] for cycle in (110, 120) for chunk in range(4)]
    return {
        "window": {"first": 0, "last": 200, "cut_off": False},
        "texts": [TEXT, "EXIT", "wait_mask"],
        "warps": [warp(0), warp(1)],
        "banks": {"interval": 32, "banks": [{"path": "gpu.sm_0.sub_core_0.register_file.bank_0", "read": [8, 16], "conflict": [0, 3], "write": [1, 0]}]},
        "shared_accesses": [
            {"kind": "load", "wavefronts": 1, "conflicts": 0, "accesses": 5},
            {"kind": "load", "wavefronts": 4, "conflicts": 3, "accesses": 2},
            {"kind": "matrix", "wavefronts": 4, "conflicts": 0, "accesses": 9},
        ],
        "tensor_memories": [{"path": "gpu.sm_0.tensor_memory", "changes": clears + writes + shifts}],
    }


class ReportTest(unittest.TestCase):
    """Reports of runs in a folder, and what people do with a page."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.driver = cls.enterClassContext(browser())

    @classmethod
    def tcsim(cls, *command):
        subprocess.run([arguments.tcsim, *map(str, command)], check=True, cwd=cls.folder, stdout=subprocess.DEVNULL)

    @classmethod
    def statistics(cls, name):
        return json.loads((cls.folder / name).read_text())

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])
        self.assertEqual(self.page.requests(), [])

    def table(self, caption):
        """Cells of a table by the head of their row."""
        return self.page.script(
            """return Object.fromEntries([...document.querySelectorAll(`[data-table='${arguments[0]}'] tbody tr`)].map(
                (row) => [row.cells[0].textContent, [...row.cells].slice(1).map((cell) => cell.textContent)]));""",
            caption,
        )

    def move_to(self, picture, *place):
        """Moves the mouse onto a place of a picture; returns the actions, to be continued."""
        canvas = self.page.script("return tcsim.pictures[arguments[0]].canvas", picture)
        self.page.script("arguments[0].scrollIntoView({block: 'center'})", canvas)
        x, y = self.page.script(
            """const {canvas, place} = tcsim.pictures[arguments[0]];
            const {x, y} = place(...arguments[1]);
            const box = canvas.getBoundingClientRect();
            return [Math.round(x - box.width / 2), Math.round(y - box.height / 2)];""",
            picture,
            place,
        )
        return ActionChains(self.driver).move_to_element_with_offset(canvas, x, y)

    def tip(self, section):
        return self.page.script("const tip = document.querySelector(`#${arguments[0]} .tip`); return tip.hidden ? '' : tip.innerText", section)

    def hover(self, section, picture, *place):
        self.move_to(picture, *place).perform()
        self.page.wait(lambda: self.tip(section), "no text for the place under the mouse")
        return self.tip(section)


class RecordedRunTest(ReportTest):
    """What a run records: the counters of the statistics say the same, and so does the page."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tcsim("run", KERNEL, "--config", "turing", "--stats", "run.json", "--stats-interval", "100", "--pictures")
        image = ["--height", 9, "--width", 9, "--channels", 16, "--filters", 16, "--filter-height", 1, "--filter-width", 3, "--padding", "0x1"]
        cls.tcsim("conv", "--config", "blackwell", *image, "--method", "shift", "--no-data", "--stats", "convolution.json", "--pictures")
        for name in ("run", "convolution"):
            cls.tcsim("report", f"{name}.json", "-o", f"{name}.html")

    def test_pictures_say_what_the_counters_say(self):
        self.page = Page(self.driver, self.folder / "run.html")
        run = self.statistics("run.json")
        pictures, units = run["pictures"], run["units"]
        for bank in self.page.script("return tcsim.pictures.banks.map.rows"):
            counters = units[bank["path"]]
            self.assertEqual((sum(bank["read"]), sum(bank["conflict"])), (counters["busy_cycles"], counters.get("read_wait_cycles", 0)))
        shared = pictures["shared_accesses"]
        for ours, counter in (("wavefronts", "wavefronts"), ("conflicts", "bank_conflicts")):
            counted = sum(unit[counter] for path, unit in units.items() if path.endswith(".load_store"))
            self.assertEqual(sum(each[ours] * each["accesses"] for each in shared), counted)
        stalls = dict.fromkeys(run["stalls"], 0)
        for warp in pictures["warps"]:
            for begin, end, cause in warp["stalls"]:
                stalls[pictures["texts"][cause]] += end - begin
        self.assertEqual(stalls, run["stalls"])
        self.assertEqual(sum(len(warp["instructions"]) for warp in pictures["warps"]), run["instructions"])
        first = pictures["warps"][0]["instructions"][0]
        self.page.script("tcsim.pictures.gantt.show(0, 50)")
        self.assertIn(f"issues {pictures['texts'][first[2]]}", self.hover("gantt", "gantt", 0, first[0]))

    def test_banks_come_from_counters_where_nothing_was_recorded(self):
        run = self.statistics("run.json")
        del run["pictures"]
        (self.folder / "counters.json").write_text(json.dumps(run))
        self.tcsim("report", "counters.json", "-o", "counters.html")
        self.page = Page(self.driver, self.folder / "counters.html")
        for bank in self.page.script("return tcsim.pictures.banks.map.rows"):
            self.assertEqual(sum(bank["read"]), run["units"][bank["path"]]["rows_read"])

    def test_a_shift_of_a_convolution_moves_lanes(self):
        self.page = Page(self.driver, self.folder / "convolution.html")
        changes = self.statistics("convolution.json")["pictures"]["tensor_memories"][0]["changes"]
        cycle, _, first_lane, lanes, column, *_ = next(change for change in changes if change[1] == 1)
        sources = """const [cycle, column] = arguments;
            tcsim.pictures.tensorMemory.show(cycle);
            return Array.from({length: 128}, (unused, lane) => tcsim.pictures.tensorMemory.cells.cell(lane, column).source);"""
        before, after = (self.page.script(sources, when, column)[first_lane : first_lane + lanes] for when in (cycle - 1, cycle))
        self.assertGreater(len(set(before)), 1)
        self.assertEqual(after, [*before[1:], before[-1]])


class WarnedRunTest(ReportTest):
    """A run in which a store finds a register that nothing has written."""

    def test_page_shows_the_warnings_of_the_run(self):
        lines = ["tcsim-trace 1", "arch sm_75", "kernel undefined", "grid 1 1 1", "block 32 1 1", "registers 16", "memory 0x1000 4 zero",
                 "cta 0 0 0", "warp 0", "reg R2 0x1000", "reg R3 0x0", "/*0000*/ STG.E.SYS [R2], R8 mask 00000001 @ 0x1000", "/*0010*/ EXIT", ""]
        (self.folder / "undefined.trace").write_text("\n".join(lines))
        self.tcsim("run", "undefined.trace", "--config", "turing", "--stats", "undefined.json")
        self.tcsim("report", "undefined.json", "-o", "undefined.html")
        self.page = Page(self.driver, self.folder / "undefined.html")
        warnings = self.statistics("undefined.json")["warnings"]
        self.assertEqual(len(warnings), 1)
        self.assertEqual(self.page.texts("#warnings li"), warnings)

    def test_page_shows_where_runs_varied_by_chance_lie(self):
        self.tcsim("gemm", "--config", "ada", "--size", "64", "--no-data", "--set", "sms=1", "--jitter", "4", "--stats", "varied.json")
        self.tcsim("report", "varied.json", "-o", "varied.html")
        self.page = Page(self.driver, self.folder / "varied.html")
        kernel = self.statistics("varied.json")["jitter"]["kernels"][0]
        wanted = f"In 4 runs varied by chance, {kernel['kernel']}: {kernel['median']:,} cycles in the median, {kernel['least']:,} at least"
        self.assertTrue(self.page.one("#chance-text").text.startswith(wanted), self.page.one("#chance-text").text)

    def test_page_shows_what_is_beyond_the_model(self):
        self.tcsim("gemm", "--config", "hopper", "--size", "64,128", "--no-data", "--set", "global_memory.peak.dram_gb_per_second=1",
                   "--stats", "beyond.json")
        self.tcsim("report", "beyond.json", "-o", "beyond.html")
        self.page = Page(self.driver, self.folder / "beyond.html")
        texts = [entry["text"] for entry in self.statistics("beyond.json")["beyond_the_model"]]
        self.assertEqual(len(texts), 2)
        kernels = ["gemm_mixed_64x64x64", "gemm_mixed_128x128x128"]
        self.assertEqual(self.page.texts(".beyond-the-model"),
                         [f"Beyond the model: {kernel} {text}." for kernel, text in zip(kernels, texts)])


class UndefinedResultTest(ReportTest):
    """A run whose result holds the expected bits, some of which the model did not compute."""

    def test_page_does_not_call_the_result_exact(self):
        lines = ["tcsim-trace 1", "arch sm_75", "kernel lucky", "grid 1 1 1", "block 32 1 1", "registers 16", "memory 0x1000 16 zero",
                 "expect 0x1000 16 zero", "cta 0 0 0", "warp 0", "reg R2 0x1000", "reg R3 0x0",
                 "/*0000*/ STG.E.SYS [R2], R8 mask 00000003 @ 0x1000+4", "/*0010*/ EXIT", ""]
        (self.folder / "lucky.trace").write_text("\n".join(lines))
        self.tcsim("run", "lucky.trace", "--config", "turing", "--stats", "lucky.json")
        self.tcsim("report", "lucky.json", "-o", "lucky.html")
        self.page = Page(self.driver, self.folder / "lucky.html")
        self.assertEqual(self.page.texts("#verdict"), ["Results as expected, but 8 of 16 bytes are undefined: they hold what the model did not compute."])


class RunReportTest(ReportTest):
    """Each part of the page, for a run of which we say what it recorded."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plain = cls.folder / "plain.html"
        cls.tcsim("run", KERNEL, "--config", "turing", "--set", "sm.sub_core.tensor_core.dot_product_units=2", "--stats", "plain.json")
        cls.tcsim("report", "plain.json", "-o", cls.plain)
        cls.run_json = cls.statistics("plain.json")
        cls.run_json["trace"]["kernel"] = NAME
        cls.run_json["series"] = made_series(cls.run_json)
        cls.run_json["pictures"] = made_pictures()
        (cls.folder / "run.json").write_text(json.dumps(cls.run_json))
        cls.report = cls.folder / "run.html"
        cls.tcsim("report", "run.json", "-o", cls.report)

    def setUp(self):
        self.page = Page(self.driver, self.report)

    def test_shows_names_as_they_are(self):
        self.assertEqual(self.page.one("h1").text, NAME)
        self.assertIn(TEXT, self.hover("gantt", "gantt", 0, 5))

    def test_summary_says_what_the_statistics_say(self):
        run = self.run_json
        summary = self.page.one("#summary").text
        for text in (f"{run['cycles']:,} cycles", f"{run['instructions']:,} instructions", "Results exact: 16,384 bytes"):
            self.assertIn(text, summary)
        tensor = [unit for path, unit in run["utilisation"].items() if path.endswith(".tensor")]
        cycles = run["cycles"] * len(tensor)
        busy = sum(unit["busy_cycles"] for unit in tensor)
        waits = sum(unit["idle"]["wait_mask"] for unit in tensor)
        text = self.page.one("#tensor-text").text
        self.assertIn(f"Tensor cores busy {100 * busy / cycles:.1f} %", text)
        self.assertRegex(text, f"lost to: wait mask[^;]* {100 * waits / cycles:.1f} %")

    def test_tables_have_the_numbers_of_the_statistics(self):
        run = self.run_json
        self.assertEqual(self.table("Kernels")[NAME][-3:], [f"{run['cycles']:,}", "0", "0"])
        slots, stalls = run["issue_slots"], run["stalls"]
        wait = next(cells for text, cells in self.table("Stalls").items() if text.startswith("wait mask"))
        self.assertEqual((wait[0], wait[2]), (f"{slots['wait_mask']:,}", f"{stalls['wait_mask']:,}"))
        units = self.table("Units")
        busy = sum(unit["busy_cycles"] for path, unit in run["utilisation"].items() if path.endswith(".tensor"))
        self.assertEqual((units["tensor"][0], units["tensor"][2]), ("4", f"{busy:,}"))
        self.assertEqual(self.table("Configuration"), {"sm.sub_core.tensor_core.dot_product_units": ["4", "2"]})

    def test_charts_over_time_have_the_increments(self):
        ends, units = self.run_json["series"]["cycles"], self.run_json["series"]["units"]
        sets = self.page.script("return tcsim.charts.utilisation.data.datasets.map(({label, data}) => [label, data.filter((unused, i) => i % 2 === 0).map(({y}) => y)])")
        busy = [unit["busy_cycles"] for path, unit in units.items() if path.endswith(".tensor")]
        begins = [0, *ends[:-1]]
        wanted = [sum(counts[i] for counts in busy) / (4 * (ends[i] - begins[i])) for i in range(4)]
        for got, want in zip(dict(sets)["tensor"], wanted, strict=True):
            self.assertAlmostEqual(got, want)
        stacks = self.page.script("return tcsim.charts.slots.data.datasets.map(({label, data}) => [label, data.map(({share}) => share)])")
        for column in zip(*(shares for label, shares in stacks), strict=True):
            self.assertAlmostEqual(sum(column), 1)
        waits = next(shares for label, shares in stacks if label.startswith("wait mask"))[::2]
        slots = sum(share * 4 * (end - begin) for share, begin, end in zip(waits, begins, ends, strict=True))
        self.assertAlmostEqual(slots, self.run_json["issue_slots"]["wait_mask"])

    def test_warps_tell_what_they_did(self):
        self.assertEqual(self.page.script("return tcsim.pictures.gantt.rows()"), [warp["path"] for warp in self.run_json["pictures"]["warps"]])
        self.page.script("tcsim.pictures.gantt.show(0, 60)")
        issue = self.hover("gantt", "gantt", 1, 10)
        for text in ("sub_core_0 warp_1, kernel 0, CTA 7, warp 1", "cycle 10", "issues", "pc 0120, line 33"):
            self.assertIn(text, issue)
        stall = self.hover("gantt", "gantt", 1, 30)
        for text in ("waits 39 cycles: wait mask", "next: EXIT", "in flight: HMMA"):
            self.assertIn(text, stall)

    def test_warps_zoom_and_move_by_buttons_mouse_and_keys(self):
        view = lambda: self.page.script("return tcsim.pictures.gantt.view()")
        self.assertEqual(view(), {"first": 0, "last": 200})
        self.page.one("[aria-label='zoom in']").click()
        self.assertEqual(view(), {"first": 50, "last": 150})
        self.page.one("[aria-label='later']").click()
        self.assertEqual(view(), {"first": 100, "last": 200})
        self.move_to("gantt", 0, 150).click_and_hold().move_by_offset(60, 0).release().perform()
        self.assertLess(view()["first"], 100)
        self.page.script("return tcsim.pictures.gantt.canvas").send_keys("-")
        self.assertEqual(view(), {"first": 0, "last": 200})

    def test_a_shift_moves_the_colours_by_a_lane(self):
        column_colours = """const {canvas, place} = tcsim.pictures.tensorMemory;
            const copy = document.createElement('canvas');
            [copy.width, copy.height] = [canvas.width, canvas.height];
            const context = copy.getContext('2d', {willReadFrequently: true});
            context.drawImage(canvas, 0, 0);
            const scale = canvas.width / canvas.clientWidth;
            return Array.from({length: 32}, (unused, lane) => {
              const {x, y} = place(lane, arguments[0]);
              return context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data.join();
            });"""
        lanes = lambda column: self.page.script(column_colours, column)
        go_to = lambda cycle: self.page.script(
            """const slider = document.getElementById('tensor-cycle');
            slider.value = arguments[0];
            slider.dispatchEvent(new Event('input'));""",
            cycle,
        )
        go_to(99)
        self.assertEqual(len(set(lanes(8))), 1, "nothing was written yet")
        go_to(100)
        written = lanes(8)
        self.assertEqual(len(set(written[:6])), 6)
        go_to(110)
        self.assertEqual(lanes(8), [*written[1:], written[31]], "the last lane of a chunk keeps what it has")
        self.assertEqual(lanes(7), written, "a column that is not shifted")
        go_to(105)
        self.page.one("#tensor-shift").click()
        self.page.one("#tensor-shift").click()
        self.assertIn("cycle 120;", self.page.one("#tensor-change").text)
        self.assertEqual(lanes(8), [*written[2:], written[31], written[31]])
        tip = self.hover("tensor", "tensorMemory", 3, 8)
        for text in ("lane 3, column 8", "written in lane 5 at cycle 100", TEXT):
            self.assertIn(text, tip)

    def test_tensor_memory_plays_to_its_last_change(self):
        self.page.one("#tensor-play").click()
        self.page.wait(lambda: self.page.script("return tcsim.pictures.tensorMemory.cycle()") == 120, "it does not play to the end")
        self.page.wait(lambda: self.page.one("#tensor-play").text == "Play", "it does not stop")

    def test_banks_and_shared_memory_have_what_was_recorded(self):
        rows = self.page.script("return tcsim.pictures.banks.map.rows")
        self.assertEqual(rows, self.run_json["pictures"]["banks"]["banks"])
        bars = self.page.script("const {labels, datasets} = tcsim.charts.shared.data; return [labels, datasets.map(({label, data}) => [label, data])]")
        self.assertEqual(bars, [["1 wavefront", "4 wavefronts"], [["load", [5, 2]], ["matrix", [0, 9]]]])
        self.page.choose("shared", "by", "conflicts")
        self.assertEqual(self.page.script("return tcsim.charts.shared.data.labels"), ["0 bank conflicts", "3 bank conflicts"])

    def test_without_records_says_how_to_get_them(self):
        self.page = Page(self.driver, self.plain)
        for section, option in (("gantt", "--pictures"), ("banks", "--pictures"), ("slots", "--stats-interval")):
            self.assertIn(option, self.page.one(f"#{section}").text)
        self.assertFalse(self.page.one("#tensor-section").is_displayed())


def take_screenshot(picture):
    """The report of a run, or a section of it, as the documentation shows it."""
    with tempfile.TemporaryDirectory() as folder, browser(1280, arguments.height) as driver:
        report = pathlib.Path(folder) / "report.html"
        subprocess.run([arguments.tcsim, "report", arguments.statistics, "-o", report], check=True, stdout=subprocess.DEVNULL)
        page = Page(driver, report)
        if arguments.cycle is not None:
            page.script("tcsim.pictures.tensorMemory.show(arguments[0])", arguments.cycle)
        if arguments.section:
            page.one(f"#{arguments.section}").screenshot(str(picture))
        else:
            driver.save_screenshot(str(picture))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tcsim", required=True, type=pathlib.Path, help="the command")
    parser.add_argument("--screenshot", type=pathlib.Path, metavar="FILE.png", help="only take a picture of the report of --statistics")
    parser.add_argument("--statistics", type=pathlib.Path, help="what `tcsim run --stats` wrote")
    parser.add_argument("--section", help="of the page, by its id; without, its top")
    parser.add_argument("--height", type=int, default=1400, help="of the picture, in pixels")
    parser.add_argument("--cycle", type=int, help="at which tensor memory is shown")
    global arguments
    arguments, rest = parser.parse_known_args()
    arguments.tcsim = arguments.tcsim.resolve()
    if arguments.screenshot:
        take_screenshot(arguments.screenshot)
    else:
        unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
