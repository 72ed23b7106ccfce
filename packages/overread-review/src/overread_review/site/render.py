"""Pages from templates; every value is escaped."""

import secrets
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from overread_review.site.sessions import guest_csrf, visitor, welcome_guest

TEMPLATES = Environment(
    loader=PackageLoader("overread_review.site", "templates"),
    autoescape=select_autoescape(default=True, default_for_string=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def percent(part: float, whole: float) -> str:
    """
    >>> percent(1, 3), percent(0, 0)
    ('33%', '–')
    """
    return f"{100 * part / whole:.0f}%" if whole else "–"


def day(moment: str | None) -> str:
    """
    >>> day("2026-01-02T03:04:05.000000+00:00")
    '2026-01-02 03:04'
    """
    return moment[:16].replace("T", " ") if moment else "–"


TEMPLATES.filters["day"] = day
TEMPLATES.globals["percent"] = percent


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page for whoever is asking; a guest gets a token of their own with it."""
    asking = visitor(request)
    csrf, guest = asking.csrf, ""
    if not csrf:
        guest = secrets.token_urlsafe(18)
        csrf = guest_csrf(request.app.state.secret, guest)
    body = TEMPLATES.get_template(template).render(
        me=asking.person, csrf=csrf, path=request.url.path, **values
    )
    response = HTMLResponse(body, status)
    if guest:
        welcome_guest(request, response, guest)
    return response
