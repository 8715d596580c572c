# SPDX-License-Identifier: Apache-2.0
"""A page in a headless Chromium: what was wrong with it, what it asked the network for, and the mouse over its charts."""

import contextlib
import json
import pathlib

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait


class Page:
    """A file that is open in the browser."""

    def __init__(self, driver, file):
        self.driver = driver
        self.url = pathlib.Path(file).resolve().as_uri()
        driver.get_log("performance")  # of the page before
        driver.get(self.url)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        """At one moment: rows may be replaced at any other."""
        return self.script("return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText.trim())", selector)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def wait(self, condition, message):
        WebDriverWait(self.driver, 10, 0.05).until(lambda driver: condition(), message)

    def choose(self, section, label, value):
        """Chooses from the select box that stands behind a label."""
        for box in self.all(f"#{section} label"):
            if box.text.split("\n")[0].strip() == label:
                box.find_element(By.CSS_SELECTOR, f"option[value='{value}']").click()
                return
        raise AssertionError(f"no select box {label} in {section}")

    def points(self, chart):
        """What a chart shows: x, y and row of each point."""
        return self.script("return tcsim.charts[arguments[0]].data.datasets[0].data.map(({x, y, row}) => ({x, y, row}))", chart)

    def points_outside(self, chart):
        """Points of a chart whose centres do not lie in its frame."""
        return self.script(
            """const {chartArea: {left, right, top, bottom}} = tcsim.charts[arguments[0]];
            const points = tcsim.charts[arguments[0]].getDatasetMeta(0).data;
            return points.filter(({x, y}) => !(x >= left && x <= right && y >= top && y <= bottom)).map(({x, y}) => [x, y]);""",
            chart,
        )

    def colliding_labels(self, chart):
        """Pairs of labels of a scale of a chart that run into each other."""
        return self.script(
            """const chart = tcsim.charts[arguments[0]];
            return Object.values(chart.scales).flatMap((scale) => {
              chart.ctx.font = Chart.helpers.toFont(scale.options.ticks.font).string;
              const size = (label) => (scale.isHorizontal() && !scale.labelRotation ? chart.ctx.measureText(label).width : 12);
              const labels = scale.ticks.map(({label}, index) => ({label, at: scale.getPixelForTick(index)})).filter(({label}) => label);
              labels.sort((a, b) => a.at - b.at);
              return labels.slice(1).map((each, index) => [labels[index], each])
                  .filter(([a, b]) => b.at - a.at < (size(a.label) + size(b.label)) / 2).map(([a, b]) => [a.label, b.label]);
            });""",
            chart,
        )

    def labels(self, chart, axis):
        """Labels of a scale that are seen."""
        return self.script("return tcsim.charts[arguments[0]].scales[arguments[1]].ticks.map(({label}) => label).filter(Boolean)", chart, axis)

    def move_to_point(self, chart, index):
        """Moves the mouse there; returns the actions, to be continued."""
        canvas = self.script("return tcsim.charts[arguments[0]].canvas", chart)
        self.script("arguments[0].scrollIntoView({block: 'center'})", canvas)
        x, y = self.script(
            """const chart = tcsim.charts[arguments[0]];
            const {x, y} = chart.getDatasetMeta(0).data[arguments[1]];
            const box = chart.canvas.getBoundingClientRect();
            return [Math.round(x - box.width / 2), Math.round(y - box.height / 2)];""",
            chart,
            index,
        )
        return ActionChains(self.driver).move_to_element_with_offset(canvas, x, y)

    def tooltip(self, chart):
        """Lines of the tooltip that is seen; empty if there is none."""
        return self.script(
            """const {tooltip} = tcsim.charts[arguments[0]];
            return tooltip.opacity === 0 ? [] : [...tooltip.title, ...tooltip.body.flatMap((part) => part.lines)];""",
            chart,
        )

    def complaints(self):
        """What the browser's console holds: errors of scripts, and what the page's policy forbade."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that the page asked for, besides its own."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        urls = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if url.split("#")[0] != self.url]


@contextlib.contextmanager
def browser(width=1400, height=1000):
    options = Options()
    # --no-sandbox: root may not start it otherwise.
    flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
    for argument in (*flags, f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    try:
        yield driver
    finally:
        driver.quit()
