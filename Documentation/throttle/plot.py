#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws a vector of the round trip time throttle as SVG.

usage: plot.py VECTOR.csv >PLOT.svg

Two panels over the same seconds: the round trip times with the threshold, and
the percentage of logins that is let pass. Colours follow the reader's light or
dark mode.
"""

import sys

THRESHOLD = 1000
LEFT, RIGHT, WIDTH = 74, 22, 760
TOP = (58, 324)			# of the panels
HEIGHT = (210, 120)
RTT = (800, 1250, 50)		# lowest, highest, between two lines
ALLOWED = (70, 100, 10)

STYLE = """
  svg { background: #ffffff; }
  .page { fill: #ffffff; }
  text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans",
         sans-serif; fill: #333c46; }
  .title { font-size: 16px; font-weight: 600; fill: #14191f; }
  .axis { font-weight: 600; }
  .grid { stroke: #dfe4ea; stroke-width: 1; }
  .frame { stroke: #8a95a1; stroke-width: 1; fill: none; }
  .limit { stroke: #b3261e; stroke-width: 1.5; stroke-dasharray: 7 4; }
  .rtt { stroke: #1f5fa8; stroke-width: 2; fill: none; }
  .good { fill: #1f5fa8; }
  .late { fill: #b3261e; }
  .allowed { stroke: #1e7d3c; stroke-width: 2.5; fill: none; }
  .area { fill: #1e7d3c; opacity: 0.13; }
  .limit-text { fill: #b3261e; }
  .allowed-text { fill: #1e7d3c; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    svg { background: #14191f; }
    .page { fill: #14191f; }
    text { fill: #c3ccd6; }
    .title { fill: #f2f5f8; }
    .grid { stroke: #2b343e; }
    .frame { stroke: #6b7784; }
    .limit { stroke: #ff8a80; }
    .rtt { stroke: #7cb7ff; }
    .good { fill: #7cb7ff; }
    .late, .limit-text { fill: #ff8a80; }
    .allowed { stroke: #74d68f; }
    .area, .allowed-text { fill: #74d68f; }
  }
"""


def read(name):
    """The rows of a vector: second, RTT, exceeded, consecutive, allowed."""
    with open(name, encoding="ascii") as file:
        return [tuple(int(field) for field in line.split(","))
                for line in file if not line.startswith("#")]


class Panel:
    """A rectangle with a scale."""

    named = 1			# which lines have a number

    def __init__(self, number, scale, seconds):
        self.top, self.height = TOP[number], HEIGHT[number]
        self.low, self.high, self.step = scale
        self.seconds = seconds

    def x(self, second):
        """The middle of a second."""
        return LEFT + (second - 0.5) * (WIDTH - LEFT - RIGHT) / self.seconds

    def y(self, value):
        """The height of a value."""
        return self.top + self.height * (self.high - value) / \
            (self.high - self.low)

    def grid(self, unit):
        """Lines, numbers beside them and a frame."""
        for value in range(self.low, self.high + 1, self.step):
            y = self.y(value)
            yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" ' \
                f'y1="{y:.1f}" y2="{y:.1f}"/>'
            if (value - self.low) % (self.step * self.named) == 0:
                yield f'<text x="{LEFT - 9}" y="{y + 4.5:.1f}" ' \
                    f'text-anchor="end">{value}{unit}</text>'
        yield f'<rect class="frame" x="{LEFT}" y="{self.top}" ' \
            f'width="{WIDTH - LEFT - RIGHT}" height="{self.height}"/>'

    def title(self, text):
        """What the panel shows, above it."""
        yield f'<text class="axis" x="{LEFT}" y="{self.top - 10}">{text}</text>'


def rtt_panel(rows):
    """The round trip times; above the threshold they have another colour."""
    panel = Panel(0, RTT, len(rows))
    panel.named = 2
    yield from panel.title("Round trip time of each probe, ms")
    yield from panel.grid("")
    y = panel.y(THRESHOLD)
    yield f'<line class="limit" x1="{LEFT}" x2="{WIDTH - RIGHT}" ' \
        f'y1="{y:.1f}" y2="{y:.1f}"/>'
    points = " ".join(f"{panel.x(row[0]):.1f},{panel.y(row[1]):.1f}"
                      for row in rows)
    yield f'<polyline class="rtt" points="{points}"/>'
    for second, rtt, exceeded, _, _ in rows:
        x, y = panel.x(second), panel.y(rtt)
        yield f'<circle class="{"late" if exceeded else "good"}" ' \
            f'cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
        yield f'<text x="{x - (8 if exceeded else 0):.1f}" ' \
            f'y="{y + (-11 if exceeded else 20):.1f}" ' \
            f'text-anchor="middle">{rtt}</text>'
    x, y = LEFT + 12, panel.top + 20
    yield f'<circle class="late" cx="{x}" cy="{y}" r="4.5"/>'
    yield f'<text x="{x + 11}" y="{y + 4.5}">above the threshold</text>'
    yield f'<circle class="good" cx="{x}" cy="{y + 21}" r="4.5"/>'
    yield f'<text x="{x + 11}" y="{y + 25.5}">in time</text>'
    yield f'<line class="limit" x1="{x - 7}" x2="{x + 6}" y1="{y + 42}" ' \
        f'y2="{y + 42}"/>'
    yield f'<text class="limit-text" x="{x + 11}" y="{y + 46.5}">' \
        f'threshold, {THRESHOLD} ms</text>'


def allowed_panel(rows):
    """What is let pass from each measurement to the next."""
    panel = Panel(1, ALLOWED, len(rows))
    yield from panel.title("Logins let pass after that probe")
    yield from panel.grid(" %")
    half = (WIDTH - LEFT - RIGHT) / len(rows) / 2
    corners = []
    for row in rows:
        x, y = panel.x(row[0]), panel.y(row[4])
        corners += [f"{x - half:.1f},{y:.1f}", f"{x + half:.1f},{y:.1f}"]
    bottom = panel.top + panel.height
    yield f'<polygon class="area" points="{LEFT},{bottom} ' \
        f'{" ".join(corners)} {WIDTH - RIGHT},{bottom}"/>'
    yield f'<polyline class="allowed" points="{" ".join(corners)}"/>'
    last = None
    for row in rows:
        x = panel.x(row[0])
        yield f'<text x="{x:.1f}" y="{bottom + 19}" ' \
            f'text-anchor="middle">{row[0]}</text>'
        if row[4] != last:
            yield f'<text class="allowed-text" x="{x:.1f}" ' \
                f'y="{panel.y(row[4]) + 18:.1f}" ' \
                f'text-anchor="middle">{row[4]} %</text>'
        last = row[4]
    yield f'<text class="axis" x="{(LEFT + WIDTH - RIGHT) / 2}" ' \
        f'y="{bottom + 42}" text-anchor="middle">second</text>'


def main():
    """One vector in, one picture out."""
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    rows = read(sys.argv[1])
    height = TOP[1] + HEIGHT[1] + 56
    print('<?xml version="1.0" encoding="UTF-8"?>')
    print("<!-- SPDX-License-Identifier: GPL-2.0-only -->")
    print("<!-- Made by Documentation/throttle/plot.py. -->")
    print(f'<svg xmlns="http://www.w3.org/2000/svg" '
          f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
          f'height="{height}" role="img">')
    print("<title>A slow line card and what the throttle makes of it</title>")
    print(f"<style>{STYLE}</style>")
    print(f'<rect class="page" width="{WIDTH}" height="{height}"/>')
    print(f'<text class="title" x="{LEFT}" y="24">'
          f'A slow line card, and what the throttle makes of it</text>')
    for element in (*rtt_panel(rows), *allowed_panel(rows)):
        print(element)
    print("</svg>")


if __name__ == "__main__":
    main()
