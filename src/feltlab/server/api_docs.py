"""The page at /docs: every operation of the API, as plain HTML that loads nothing from other sites."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #1a1a1a; background: #fff }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.1rem; border-top: 1px solid #ccc; padding-top: 1rem }
code, pre { font: 14px/1.5 ui-monospace, monospace; background: #f3f3f0; padding: .1rem .3rem }
table { border-collapse: collapse; margin: .5rem 0 } td, th { text-align: left; padding: .2rem 1rem .2rem 0;
  vertical-align: top; border-bottom: 1px solid #eee }
@media (prefers-color-scheme: dark) { body { color: #e8e8e8; background: #181818 }
  code, pre { background: #262626 } td, th { border-color: #333 } h2 { border-color: #444 } }
"""


def render_page(api: Mapping[str, Any]) -> str:
    parts = "".join(_render_operations(api))
    title = escape(api["info"]["title"])
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/docs/style.css">'
        f"<h1>{title}</h1><p>{escape(api['info']['description'])}</p>"
        f'<p>The same for programs: <a href="/openapi.json">/openapi.json</a>.</p>{parts}</html>'
    )


def _render_operations(api: Mapping[str, Any]) -> Iterator[str]:
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            yield f"<h2><code>{method.upper()} {escape(path)}</code></h2>"
            yield f"<p>{escape(operation.get('description') or operation.get('summary', ''))}</p>"
            yield _render_rows("Parameter", map(_describe_parameter, operation.get("parameters", ())))
            yield _render_rows("Field of the body", _list_fields(api, operation))


def _render_rows(title: str, rows: Iterator[tuple[str, str]]) -> str:
    lines = [f"<tr><td><code>{escape(name)}</code><td>{escape(says)}" for name, says in rows]
    return f"<table><tr><th>{title}<th>{''.join(lines)}</table>" if lines else ""


def _describe_parameter(parameter: Mapping[str, Any]) -> tuple[str, str]:
    return parameter["name"], f"in the {parameter['in']}, {_describe_type(parameter['schema'])}"


def _list_fields(api: Mapping[str, Any], operation: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = _resolve(api, content.get("schema", {}))
    for name, field in schema.get("properties", {}).items():
        optional = "" if name in schema.get("required", ()) else ", optional"
        yield name, f"{_describe_type(_resolve(api, field))}{optional}"


def _resolve(api: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = api["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _describe_type(schema: Mapping[str, Any]) -> str:
    """A schema in a few words."""
    if "anyOf" in schema:
        return " or ".join(map(_describe_type, schema["anyOf"]))
    named = str(schema.get("type", "anything"))
    if named == "object" and schema.get("properties"):
        named = "object of " + ", ".join(schema["properties"])
    bounds = [f"{word} {schema[key]:,}" for key, word in _BOUNDS.items() if key in schema]
    return ", ".join([named, *bounds, *filter(None, [schema.get("description", "")])])


_BOUNDS = {"minimum": "from", "maximum": "to", "minLength": "length from", "maxLength": "length to"}
