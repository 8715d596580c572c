# SPDX-License-Identifier: Apache-2.0
"""Takes a picture of waves in GTKWave, on a screen that nobody sees (Xvfb):

    tcsim run traces/sm_75.tiled_f16_f32/kernel.trace --config turing --vcd waves.vcd
    tools/pictures/picture.py waves.vcd app/views/turing.gtkw --from 868 docs/waves.png
"""

import argparse
import pathlib
import re
import subprocess
import tempfile


def take(waves, view, first_cycle, picture, width, height):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for names in view.parent.glob("*.choices"):
            (folder / names.name).write_text(names.read_text())
        text = re.sub(r"^\[size\].*$", f"[size] {width} {height}\n[sst_expanded] 0", view.read_text(), flags=re.MULTILINE)
        (folder / view.name).write_text(re.sub(r"^\[sst_width\].*$", "[sst_width] 1", text, flags=re.MULTILINE))
        script = folder / "picture.tcl"
        script.write_text(f"gtkwave::setZoomFactor -4\ngtkwave::setWindowStartTime {first_cycle}\n"
                          f"gtkwave::/File/Grab_To_File {picture.absolute()}\ngtkwave::/File/Quit\n")
        screen = f"-screen 0 {width + 100}x{height + 100}x24"
        subprocess.run(["xvfb-run", "-a", "-s", screen, "gtkwave", "-S", script, waves.name, folder / view.name],
                       cwd=waves.absolute().parent, check=True, timeout=60, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("waves", type=pathlib.Path)
    parser.add_argument("view", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--from", dest="first_cycle", type=int, default=0, help="the first cycle to be seen")
    parser.add_argument("--size", default="1500x1320")
    arguments = parser.parse_args()
    take(arguments.waves, arguments.view, arguments.first_cycle, arguments.picture, *map(int, arguments.size.split("x")))
