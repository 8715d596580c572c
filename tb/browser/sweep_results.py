# SPDX-License-Identifier: Apache-2.0
"""The results of a sweep as its file has them, read without tcsim: what a report is compared with."""

import json
import sqlite3


class SweepResults:
    def __init__(self, file):
        self.database = sqlite3.connect(file)
        self.database.row_factory = sqlite3.Row

    def fact(self, key):
        return self.database.execute("SELECT value FROM sweep WHERE key = ?", (key,)).fetchone()[0]

    def points(self):
        """A dictionary for each point, by number."""
        return [dict(row) for row in self.database.execute("SELECT * FROM results ORDER BY number")]

    def configuration(self, number):
        query = """SELECT text FROM points JOIN runs ON runs.id = points.run JOIN configurations ON configurations.id = runs.configuration
                   WHERE number = ?"""
        return json.loads(self.database.execute(query, (number,)).fetchone()[0])

    def statistics(self, number):
        query = "SELECT statistics FROM points JOIN runs ON runs.id = points.run WHERE number = ?"
        return json.loads(self.database.execute(query, (number,)).fetchone()[0])

    def forget_all(self):
        """Makes the file look as if nothing had been run yet."""
        with self.database:
            self.database.execute("UPDATE runs SET exit_status = NULL, message = NULL, statistics = NULL, seconds = NULL")
            self.database.execute("DELETE FROM measurements")

    def warn(self, number, *texts):
        """Makes the model look as if it had warned of something in a point."""
        with self.database:
            run = self.database.execute("SELECT run FROM points WHERE number = ?", (number,)).fetchone()[0]
            statistics = json.dumps({**self.statistics(number), "warnings": texts})
            self.database.execute("UPDATE runs SET statistics = ? WHERE id = ?", (statistics, run))

    def stop(self, number, message):
        """Makes a point look as if the model had stopped in it."""
        with self.database:
            run = self.database.execute("SELECT run FROM points WHERE number = ?", (number,)).fetchone()[0]
            self.database.execute("UPDATE runs SET exit_status = 3, message = ?, statistics = NULL WHERE id = ?", (message, run))
            self.database.execute("DELETE FROM measurements WHERE run = ?", (run,))


def pareto_front(points, first, second):
    """The points that no other beats: each (name, more is better) of `first` and `second`, by the definition."""

    def costs(point):
        return [-point[name] if more else point[name] for name, more in (first, second)]

    def beats(a, b):
        return a != b and all(x <= y for x, y in zip(a, b))

    finished = [point for point in points if point[first[0]] is not None and point[second[0]] is not None]
    rivals = lambda point: (other for other in finished if other["workload"] == point["workload"])
    return [point for point in finished if not any(beats(costs(other), costs(point)) for other in rivals(point))]


def leaves(value, path=""):
    """All parameters of a configuration by path."""
    if isinstance(value, dict):
        return {name: leaf for key, inner in value.items() for name, leaf in leaves(inner, f"{path}.{key}" if path else key).items()}
    return {path: value}
