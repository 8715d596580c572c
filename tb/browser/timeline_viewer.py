# SPDX-License-Identifier: Apache-2.0
"""Opens a timeline in speedscope, a viewer of the trace-event format, in a headless Chromium, and takes a picture. By hand: no test needs a
package of npm. Get the viewer with `npm pack speedscope` and unpack it; then

    python3 tb/browser/timeline_viewer.py package/dist/release timeline.json picture.png

Fails unless the viewer finds a profile for each thread with slices. The picture is of the first one, or of the one of --thread."""

import argparse
import base64
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from page import browser


def threads_with_slices(timeline):
    return {(event["pid"], event["tid"]) for event in json.loads(timeline)["traceEvents"] if event["ph"] == "X"}


def open_in_speedscope(driver, viewer, name, timeline, folder):
    """The way of speedscope's own command line: a script that hands over the file in base64."""
    script = folder / "timeline.js"
    script.write_text(f"speedscope.loadFileFromBase64({json.dumps(name)}, {json.dumps(base64.b64encode(timeline).decode())})")
    driver.get(f"{(viewer / 'index.html').resolve().as_uri()}#localProfilePath={script}")


def toolbar(driver):
    return driver.execute_script("return document.body.innerText")


def choose(driver, thread):
    """Clicks on the name in the middle of the toolbar, and looks for another one in the list that opens."""
    width = driver.get_window_size()["width"]
    ActionChains(driver).move_by_offset(width // 2, 10).click().pause(0.5).perform()
    driver.find_element(By.CSS_SELECTOR, "input[type=text]").send_keys(thread, Keys.ENTER)
    ActionChains(driver).move_by_offset(0, 250).pause(1).perform()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("viewer", type=pathlib.Path, help="the folder dist/release of the package speedscope")
    parser.add_argument("timeline", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--thread", help="part of the name of the process or thread to show")
    arguments = parser.parse_args()
    timeline = arguments.timeline.read_bytes()
    threads = threads_with_slices(timeline)
    with tempfile.TemporaryDirectory() as folder, browser(height=420) as driver:
        open_in_speedscope(driver, arguments.viewer, arguments.timeline.name, timeline, pathlib.Path(folder))
        try:
            WebDriverWait(driver, 60, 0.2).until(lambda driver: f"/{len(threads)})" in toolbar(driver))
        except Exception:
            print(toolbar(driver)[:2000], *driver.get_log("browser"), sep="\n", file=sys.stderr)
            driver.save_screenshot(str(arguments.picture))
            sys.exit(f"the viewer does not show a profile of {len(threads)}")
        if arguments.thread:
            choose(driver, arguments.thread)
        driver.save_screenshot(str(arguments.picture))
        errors = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    print(f"{len(threads)} threads shown")
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main()
