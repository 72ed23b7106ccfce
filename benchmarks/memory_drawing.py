"""Memory over work done, as SVG."""

from collections.abc import Sequence

WIDE, HIGH, LEFT, LOW = 640, 240, 52, 34


def picture(points: Sequence[tuple[int, float]], what: str) -> str:
    """Megabytes of all processes over how much of `what` was done: `reports read`."""
    last, top = max(done for done, _ in points), 1.25 * max(size for _, size in points)
    x = [LEFT + (WIDE - LEFT - 24) * done / max(1, last) for done, _ in points]
    line = " ".join(
        f"{a:.1f},{HIGH - LOW - (HIGH - LOW - 16) * size / top:.1f}"
        for a, (_, size) in zip(x, points, strict=True)
    )
    labels = "".join(
        f'<text x="{x[n]:.0f}" y="{HIGH - 12}" text-anchor="middle">{points[n][0] // 1000}k</text>'
        for n in range(0, len(points), max(1, len(points) // 8))
    )
    scale = "".join(
        f'<text x="{LEFT - 6}" y="{HIGH - LOW - (HIGH - LOW - 16) * f + 4:.0f}" text-anchor="end">{top * f:.0f}</text>'
        f'<path d="M{LEFT} {HIGH - LOW - (HIGH - LOW - 16) * f:.0f}H{WIDE - 12}" stroke="#ddd"/>'
        for f in (0, 0.25, 0.5, 0.75, 1)
    )
    title = f"Megabytes of all processes: {last:,} {what}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="11" '
        f'role="img" aria-label="{title}"><title>{title}</title><rect width="{WIDE}" height="{HIGH}" fill="#fff"/>'
        f'{scale}{labels}<polyline points="{line}" fill="none" stroke="#1f6f8b" stroke-width="2"/>'
        f'<text x="{LEFT}" y="12">MB, all processes</text><text x="{WIDE - 12}" y="{HIGH - 1}" text-anchor="end">'
        f"{what}</text></svg>\n"
    )
