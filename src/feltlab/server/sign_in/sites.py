"""The site of a request, for passkeys: they are bound to a name, and browsers offer them on https only."""

from ipaddress import ip_address

from starlette.requests import HTTPConnection

from feltlab.errors import Refused
from feltlab.pit.custody.passkeys import Site

LOCAL_NAME = "localhost"  # which browsers trust without https
NEEDS_NAME = (
    "Passkeys need a server with a name, and this is a bare address; use codes of an authenticator here."
)
NEEDS_TLS = "Passkeys need https, which this address does not have; use codes of an authenticator here."


def find_site(request: HTTPConnection) -> Site:
    """The site that a request names, which the guard has checked; refuses one without passkeys."""
    obstacle = find_obstacle(request)
    if obstacle:
        raise Refused(obstacle)
    return Site(_host_of(request), f"{_scheme_of(request)}://{request.url.netloc.lower()}")


def find_obstacle(request: HTTPConnection) -> str:
    """Why passkeys do not work at the address of a request; '' if they do."""
    host = _host_of(request)
    if _is_address(host):
        return NEEDS_NAME
    return "" if _scheme_of(request) == "https" or host == LOCAL_NAME else NEEDS_TLS


def _host_of(request: HTTPConnection) -> str:
    return (request.url.hostname or "").lower()


def _scheme_of(request: HTTPConnection) -> str:
    """As the client connected; a named proxy says it for its clients."""
    return request.url.scheme


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return not host
