# SPDX-License-Identifier: Apache-2.0
"""The report of a small sweep in a browser: runs the sweep, writes the report, and uses the page as people do."""

import argparse
import contextlib
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from selenium.webdriver.common.keys import Keys

from page import Page, browser
from sweep_results import SweepResults, leaves, pareto_front

SWEEP = pathlib.Path(__file__).parent / "small_sweep.json"
STOPPED = 3  # a point that is made to look as if the model had stopped in it
WARNED, WARNINGS = (1, 4), ("reads <i>R13</i> 2 cycles before it is written", "undefined R8")  # points that look warned of
MESSAGE = "warp 0 waits for ever for <b>SB0</b>"

arguments = argparse.Namespace()


class SweepReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.results, report = cls.folder / "results.sqlite", cls.folder / "report.html"
        cls.tcsim("sweep", SWEEP, "-o", cls.results)
        cls.expected = SweepResults(cls.results)
        cls.expected.stop(STOPPED, MESSAGE)
        for number, texts in zip(WARNED, (WARNINGS, WARNINGS[:1])):
            cls.expected.warn(number, *texts)
        cls.points = cls.expected.points()
        cls.tcsim("report", cls.results, "-o", report)
        cls.driver = cls.enterClassContext(browser())
        cls.report = report

    @classmethod
    def tcsim(cls, *command):
        subprocess.run([arguments.tcsim, *map(str, command)], check=True, cwd=cls.folder, stdout=subprocess.DEVNULL)

    def setUp(self):
        self.page = Page(self.driver, self.report)

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])
        self.assertEqual(self.page.requests(), [])

    def numbers_in_table(self):
        return [int(text) for text in self.page.texts("#points-table tbody tr td:nth-child(2)")]

    def filter(self, column, text):
        self.page.one(f"[aria-label='filter {column}']").send_keys(text)

    def select(self, *numbers):
        self.page.one("#clear-selection").click()
        for number in numbers:
            self.page.one(f"#points-table [aria-label='select point {number}']").click()

    def rows_of(self, caption):
        """Cells of a table of the comparison by the head of their row."""
        lines = self.page.all(f"[data-table='{caption}'] tbody tr")
        cells = lambda line: [cell.text for cell in line.find_elements("css selector", "td")]
        return {line.find_element("css selector", "th").text: cells(line) for line in lines}

    def test_shows_names_as_they_are(self):
        self.assertEqual(self.page.one("h1").text, "<img src=x onerror=alert(1)>")
        self.assertIn("</script><script>alert(2)</script>", self.page.one("#summary").text)
        self.assertIn("1 point failed", self.page.one("#summary").text)
        self.assertEqual(self.page.texts("#failures-table td")[:2], ["1", f"model stopped: {MESSAGE}"])

    def test_shows_warnings_with_their_points(self):
        self.assertIn("2 points with warnings", self.page.one("#summary").text)
        self.assertEqual(self.page.texts("#warnings-table td"), ["2", WARNINGS[0], "#1 #4", "1", WARNINGS[1], "#1"])
        self.page.one("#clear-selection").click()
        self.page.one("#warnings-table button").click()
        self.assertEqual(self.page.one("#points-table tr[aria-selected='true']").get_attribute("data-row"), "1")
        self.filter("warnings", ">0")
        self.page.wait(lambda: self.numbers_in_table() == list(WARNED), "the table is not narrowed")

    def test_shows_notes_on_the_results(self):
        notes = self.page.texts("#notes li")
        self.assertTrue(any("the code of small is made anew for each machine, and differs with units" in note for note in notes), notes)

    def test_calls_what_is_nearest_to_0_the_best_of_a_deviation(self):
        finished = [point for point in self.points if point["cycles"] is not None and point["workload"] == "small"]
        nearest = min(finished, key=lambda point: (abs(point["deviation"]), point["number"]))
        lines = [line for line in self.page.texts("#summary li") if "deviation" in line]
        self.assertTrue(lines[0].startswith(f"Nearest to 0: deviation: {nearest['deviation']:,} at #{nearest['number']} small"), lines)
        self.page.choose("pareto", "x", "deviation")
        self.assertIn("Better: deviation nearer to 0 and ", self.page.one("#pareto").text)
        self.select(nearest["number"], max(finished, key=lambda point: abs(point["deviation"]))["number"])
        self.assertTrue(self.rows_of("Metrics")["deviation"][2].endswith("worse"), self.rows_of("Metrics"))

    def test_points_are_inside_of_the_frame_whatever_is_drawn(self):
        names = ("units", "banks", "cycles", "waits", "speed_per_unit", "deviation")
        for x in names:
            for y in names:
                for chart in ("scatter", "pareto"):
                    self.page.choose(chart, "x", x)
                    self.page.choose(chart, "y", y)
                    self.assertEqual(self.page.points_outside(chart), [], f"{y} over {x} in {chart}")

    def test_labels_of_a_logarithmic_axis_do_not_collide(self):
        for box in self.page.all("#scatter input[type=checkbox]"):
            box.click()
        for name in ("units", "cycles", "waits", "speed_per_unit"):
            for axis in ("x", "y"):
                self.page.choose("scatter", axis, name)
                self.assertEqual(self.page.colliding_labels("scatter"), [], f"{name} along {axis}")
                self.assertEqual(self.page.points_outside("scatter"), [], f"{name} along {axis}")
                self.assertTrue(self.page.labels("scatter", axis), f"{name} along {axis}")

    def test_names_all_bases_of_an_axis_of_them(self):
        sweep, results, report = (self.folder / f"bases.{ending}" for ending in ("json", "sqlite", "html"))
        sweep.write_text(json.dumps({"workloads": [{"gemm": {"size": 16}}], "axes": [{"bases": ["turing", "volta"]}]}))
        self.tcsim("sweep", sweep, "-o", results)
        self.tcsim("report", results, "-o", report)
        self.page = Page(self.driver, report)
        self.assertIn("Base configurations, by the axis base: turing, volta.", self.page.one("#summary").text)
        heads = self.page.texts("[data-table='Configuration'] thead th")
        self.assertEqual(heads, ["differs from turing, the first of base", "turing", *heads[2:]])

    def test_says_that_nothing_has_been_run(self):
        results, report = self.folder / "planned.sqlite", self.folder / "planned.html"
        shutil.copy(self.results, results)
        SweepResults(results).forget_all()
        self.tcsim("report", results, "-o", report)
        self.page = Page(self.driver, report)
        self.assertIn("No point has finished", self.page.one("#summary").text)
        self.assertEqual(set(self.page.texts("#points-table td:nth-last-child(2)")[1:]), {"not run"})

    def test_table_has_all_points_and_sorts(self):
        self.assertEqual(self.numbers_in_table(), [point["number"] for point in self.points])
        for text in self.page.all("#points-table button.sort"):
            if text.text.startswith("cycles"):
                text.click()
                break
        finished = sorted((p for p in self.points if p["cycles"] is not None), key=lambda point: (point["cycles"], point["number"]))
        self.assertEqual(self.numbers_in_table(), [point["number"] for point in finished] + [STOPPED])
        self.assertEqual(len(self.page.all("th[aria-sort='ascending']")), 1)

    def test_filter_narrows_table_and_charts(self):
        self.filter("units", ">=2")
        self.filter("workload", "small")
        wanted = [p["number"] for p in self.points if p["units"] >= 2 and p["workload"] == "small"]
        self.page.wait(lambda: self.numbers_in_table() == wanted, "the table is not narrowed")
        finished = [number for number in wanted if number != STOPPED]
        for chart in ("scatter", "pareto"):
            self.assertEqual(sorted(point["row"] for point in self.page.points(chart)), finished)
        self.page.one("#clear-filters").click()
        self.assertEqual(len(self.numbers_in_table()), len(self.points))

    def test_wrong_filter_is_marked_and_changes_nothing(self):
        self.filter("banks", "x")
        box = self.page.one("[aria-label='filter banks']")
        self.page.wait(lambda: box.get_attribute("aria-invalid") == "true", "the mistake is not marked")
        self.assertEqual(len(self.numbers_in_table()), len(self.points))

    def test_mouse_over_a_point_shows_its_values(self):
        shown = self.page.points("scatter")
        index = next(i for i, point in enumerate(shown) if point["row"] == 0)
        self.page.move_to_point("scatter", index).perform()
        self.page.wait(lambda: self.page.tooltip("scatter"), "no tooltip")
        lines = self.page.tooltip("scatter")
        # Points of equal values lie on each other; the tooltip is of one of them.
        point = self.points[int(lines[0].split()[1])]
        self.assertEqual((point["units"], point["cycles"]), (shown[index]["x"], shown[index]["y"]))
        self.assertIn(f"workload: {point['workload']}", lines)
        self.assertIn(f"banks: {point['banks']}", lines)
        self.assertIn(f"cycles: {point['cycles']:,}", lines)

    def test_click_on_a_point_selects_it_everywhere(self):
        self.page.one("#clear-selection").click()
        self.page.move_to_point("pareto", len(self.page.points("pareto")) - 1).click().perform()
        self.page.wait(lambda: self.page.all("#points-table tr[aria-selected='true']"), "nothing is selected")
        row = self.page.one("#points-table tr[aria-selected='true']").get_attribute("data-row")
        self.assertEqual([each.get_attribute("data-row") for each in self.page.all("#front-table tr[aria-selected='true']")], [row])
        self.assertIn(f"point {row}", self.page.texts("[data-table='Metrics'] thead th"))

    def test_keys_go_from_point_to_point(self):
        self.page.one("#clear-selection").click()
        canvas = self.page.script("return tcsim.charts.scatter.canvas")
        canvas.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
        second = sorted(self.page.points("scatter"), key=lambda point: (point["x"], point["y"]))[1]
        selected = self.page.all("#points-table tr[aria-selected='true']")
        self.assertEqual(len(selected), 1)
        point = self.points[int(selected[0].get_attribute("data-row"))]
        self.assertEqual((point["units"], point["cycles"]), (second["x"], second["y"]))
        self.assertIn(f"cycles: {point['cycles']:,}", self.page.one("#scatter [aria-live]").get_attribute("textContent"))

    def test_axes_of_the_chart_change(self):
        self.page.choose("scatter", "x", "waits")
        self.page.choose("scatter", "y", "speed_per_unit")
        finished = [point for point in self.points if point["cycles"] is not None]
        self.assertEqual(
            [(point["row"], point["x"], point["y"]) for point in self.page.points("scatter")],
            [(point["number"], point["waits"], point["speed_per_unit"]) for point in finished],
        )
        title = "return tcsim.charts.scatter.scales.x.options.title.text"
        self.assertEqual(self.page.script(title), "waits [warp cycles]")

    def test_says_how_many_points_are_not_drawn(self):
        note = lambda: self.page.one("#scatter > p.faint").text
        self.assertEqual(note(), "1 point not drawn: without one of the values.")
        self.page.choose("scatter", "y", "deviation")
        self.page.all("#scatter input[type=checkbox]")[1].click()
        negative = [point for point in self.points if point["deviation"] is not None and point["deviation"] <= 0]
        self.assertEqual(note(), f"{len(negative) + 1} points not drawn: without one of the values, or not positive on a logarithmic axis.")

    def test_lines_go_through_the_best_of_each_x(self):
        self.page.choose("scatter", "draw", "best")
        lines = self.page.script("return tcsim.charts.scatter.data.datasets.slice(1).map((set) => set.data.map(({x, y}) => [x, y]))")
        finished = [point for point in self.points if point["cycles"] is not None]
        best = lambda workload, units: min(p["cycles"] for p in finished if p["workload"] == workload and p["units"] == units)
        self.assertEqual(lines, [[[units, best(workload, units)] for units in (1, 2, 4)] for workload in ("small", "large")])

    def test_front_is_what_no_point_beats(self):
        front = pareto_front(self.points, ("cycles", False), ("speed_per_unit", True))
        rows = [int(line.get_attribute("data-row")) for line in self.page.all("#front-table tbody tr")]
        self.assertEqual(sorted(rows), sorted(point["number"] for point in front))
        self.assertLess(len(rows), len(self.points))

    def test_comparison_shows_values_and_changes(self):
        self.select(0, 5)
        first, second = self.points[0], self.points[5]
        self.assertEqual(self.rows_of("Axes")["units"], [str(first["units"]), str(second["units"])])
        values = self.rows_of("Metrics")["cycles"]
        change = 100 * (second["cycles"] - first["cycles"]) / first["cycles"]
        sign = "+" if change > 0 else "\u2212"
        verdict = f"{sign}{abs(change):.1f} % {'worse' if change > 0 else 'better'}"
        self.assertEqual(values, [f"{first['cycles']:,}", f"{second['cycles']:,}", verdict])
        slots = [self.expected.statistics(number)["issue_slots"] for number in (0, 5)]
        shares = [f"{100 * each['issued'] / each['slots']:.1f} %" for each in slots]
        self.assertEqual(self.rows_of("Issue slots")["issued an instruction"][:2], shares)

    def test_comparison_shows_what_differs_from_the_base(self):
        self.select(0, 5)
        base = leaves(json.loads(self.expected.fact("base_configuration")))
        points = [leaves(self.expected.configuration(number)) for number in (0, 5)]
        paths = [path for path in base if any(point[path] != base[path] for point in points)]
        text = lambda value: value if isinstance(value, str) else json.dumps(value)
        wanted = {path: [text(base[path]), *(text(point[path]) for point in points)] for path in paths}
        self.assertTrue(wanted)
        self.assertEqual(self.rows_of("Configuration"), wanted)

    def test_stalls_of_the_selected_points_add_up(self):
        self.select(0, 5)
        self.assertEqual(self.page.script("return tcsim.charts.stalls.data.labels"), ["#0 small", "#5 small"])
        sums = self.page.script("return [0, 1].map((i) => tcsim.charts.stalls.data.datasets.reduce((sum, set) => sum + set.data[i], 0))")
        for total in sums:
            self.assertAlmostEqual(total, 1)


class RepeatedSweepTest(unittest.TestCase):
    """The report of points that ran several times, with the figures of their runs written by hand."""

    POINTS = ([100, 101, 102, 103], [102, 103, 104, 105], [200, 201, 202, 203])  # cycles of four runs; the first two are within chance

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.driver = cls.enterClassContext(browser())

    def page_of(self, points):
        sweep, results, report = (self.folder / f"repeated.{ending}" for ending in ("json", "sqlite", "html"))
        axis = {"path": "global_memory.latency_cycles", "name": "latency", "values": [300 + i for i in range(len(points))]}
        metrics = ["cycles"]
        sweep.write_text(json.dumps({"base": "ada", "set": {"sms": 1, "global_memory.hierarchy.enabled": False}, "axes": [axis],
                                     "workloads": [{"gemm": {"size": 16}}], "repeat": len(points[0]), "metrics": metrics}))
        command = lambda *words: subprocess.run([arguments.tcsim, *map(str, words)], check=True, cwd=self.folder, stdout=subprocess.DEVNULL)
        command("sweep", sweep, "-o", results, "--fresh")
        with contextlib.closing(sqlite3.connect(results)) as database, database:
            for number, cycles in enumerate(points):
                for repeat, value in enumerate(cycles, 1):
                    run = "(SELECT varied FROM repeats JOIN points ON points.run = repeats.run WHERE points.number = ? AND repeats.number = ?)"
                    database.execute(f"UPDATE measurements SET value = ? WHERE metric = 'cycles' AND run = {run}", (value, number, repeat))
        command("report", results, "-o", report)
        return Page(self.driver, report)

    def change_of(self, page, *points):
        page.one("#clear-selection").click()
        for point in points:
            page.one(f"#points-table [aria-label='select point {point}']").click()
        line = next(line for line in page.all("[data-table='Metrics'] tbody tr") if line.text.startswith("cycles"))
        return line.find_elements("css selector", "td")[-1].text

    def test_says_what_is_real_and_what_chance_may_have_made(self):
        page = self.page_of(self.POINTS)
        self.assertIn("Each point is the median of 4 runs varied by chance.", page.one("#summary").text)
        self.assertEqual(self.change_of(page, 0, 1), "+2.0 %, within chance")
        self.assertEqual(self.change_of(page, 0, 2), "+99.0 % worse")
        lowest = next(line for line in page.texts("#summary li") if line.startswith("Lowest cycles"))
        self.assertTrue(lowest.endswith("; 1 other point within chance"), lowest)

    def test_says_that_runs_are_too_few(self):
        page = self.page_of([cycles[:3] for cycles in self.POINTS])
        self.assertEqual(self.change_of(page, 0, 2), "+99.0 %, too few runs to tell")

    def test_says_which_points_of_a_front_are_on_it_by_chance(self):
        page = self.page_of(self.POINTS)
        page.choose("pareto", "x", "cycles")
        page.choose("pareto", "y", "cycles")
        self.assertIn("Within chance, behind it by no more than chance makes: #1.", page.one("#pareto").text)
        page = self.page_of([self.POINTS[1], self.POINTS[0], self.POINTS[2]])
        page.choose("pareto", "x", "cycles")
        page.choose("pareto", "y", "latency")
        self.assertIn("Within chance, on it by no more than chance makes: #1.", page.one("#pareto").text)

    def test_ranks_as_the_command_does(self):
        page = self.page_of(self.POINTS)
        p = lambda a, b: page.script(f"return tcsim.rankTest({json.dumps(a)}, {json.dumps(b)})")
        self.assertAlmostEqual(p([1, 2, 3, 4], [5, 6, 7, 8]), 2 / 70)
        self.assertAlmostEqual(p([9, 8, 7, 6, 5.5], [1, 2, 3, 4, 5]), 2 / 252)
        self.assertAlmostEqual(p([1, 2, 2, 3], [2, 2, 4, 5]), 22 / 70)
        self.assertAlmostEqual(p([7] * 30, [7] * 30), 1)
        self.assertLess(p(list(range(30)), list(range(20, 50))), 0.001)


def take_screenshot(results, picture):
    """The top of the report of a sweep, as the documentation shows it."""
    with tempfile.TemporaryDirectory() as folder, browser(1280, 1240) as driver:
        report = pathlib.Path(folder) / "report.html"
        subprocess.run([arguments.tcsim, "report", results, "-o", report], check=True, stdout=subprocess.DEVNULL)
        Page(driver, report)
        driver.save_screenshot(str(picture))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tcsim", required=True, type=pathlib.Path, help="the command")
    parser.add_argument("--screenshot", type=pathlib.Path, metavar="FILE.png", help="only take a picture of the report of --results")
    parser.add_argument("--results", type=pathlib.Path, help="what `tcsim sweep` wrote")
    global arguments
    arguments, rest = parser.parse_known_args()
    arguments.tcsim = arguments.tcsim.resolve()
    if arguments.screenshot:
        take_screenshot(arguments.results, arguments.screenshot)
    else:
        unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
