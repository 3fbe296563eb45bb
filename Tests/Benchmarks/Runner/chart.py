"""The chart of a run: for each measure how ours compares with its peer, and with what is aimed at."""
import json
import math
import os

from .measures import reached, spread

ROW, LEFT, WIDTH, TOP = 22, 330, 420, 46
LOWEST, HIGHEST = 0.1, 10.0
# Where README.md has the table.
BEGIN, END = "<!-- table of the last run -->", "<!-- end of table -->"


def position(advantage):
    """A logarithmic scale; right of the middle is better than the peer."""
    bounded = min(max(advantage, LOWEST), HIGHEST)
    return LEFT + WIDTH * (math.log10(bounded) - math.log10(LOWEST)) / (math.log10(HIGHEST) - math.log10(LOWEST))


def advantage(value, line):
    """How many times better than the peer."""
    return value if line["better"] == "higher" else 1 / value if value else HIGHEST


def svg(lines):
    height = TOP + ROW * len(lines) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 70}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="10" y="18" font-size="14">Times better than the peer; the mark is what is aimed at</text>',
    ]
    for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10):
        x = position(tick)
        colour = "#666" if tick == 1 else "#ddd"
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{height - 8}" stroke="{colour}"/>')
        parts.append(f'<text x="{x:.1f}" y="{TOP - 12}" text-anchor="middle" fill="#666">{tick:g}</text>')
    for index, line in enumerate(lines):
        y = TOP + ROW * index
        start, end = position(1), position(advantage(line["ratio"], line))
        mark = position(advantage(line["target"], line))
        colour = "#3a7d44" if reached(line) else "#b5543c"
        parts.append(f'<text x="{LEFT - 10}" y="{y + 14}" text-anchor="end">{line["measure"]}</text>')
        parts.append(
            f'<rect x="{min(start, end):.1f}" y="{y + 3}" width="{abs(end - start):.1f}" height="{ROW - 8}" '
            f'fill="{colour}"/>')
        parts.append(f'<line x1="{mark:.1f}" y1="{y}" x2="{mark:.1f}" y2="{y + ROW - 3}" stroke="black" '
                     'stroke-width="2"/>')
        parts.append(f'<text x="{LEFT + WIDTH + 8}" y="{y + 14}">{advantage(line["ratio"], line):.2f}</text>')
    return "\n".join(parts + ["</svg>", ""])


def rows(lines):
    """The table of a run in Markdown."""
    yield "| measure | ours | peer | unit | ratio | target | |"
    yield "|---|---|---|---|---|---|---|"
    for line in lines:
        bound = "at least" if line["better"] == "higher" else "at most"
        yield (f"| {line['measure']} | {spread(line['samples']['ours'])} | {spread(line['samples']['peer'])}, "
               f"{line['peer_name']} | {line['unit']} | {line['ratio']:.2f} | {bound} {line['target']:g} | "
               f"{'reached' if reached(line) else 'missed'} |")


def keep(lines, folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "fabric.jsonl"), "w") as file:
        for line in lines:
            # The run's folder differs from run to run.
            command = [os.path.basename(word) if "/" in word else word for word in line["command"].split()]
            file.write(json.dumps(dict(line, command=" ".join(command))) + "\n")
    with open(os.path.join(folder, "fabric.svg"), "w") as file:
        file.write(svg(lines))
    path = os.path.join(folder, "README.md")
    with open(path) as file:
        before, rest = file.read().split(BEGIN)
    with open(path, "w") as file:
        file.write("\n".join([before + BEGIN, *rows(lines), END + rest.split(END)[1]]))
