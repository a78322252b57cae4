"""Requests read strictly: JSON without surprises, models without other fields, errors in one sentence."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import orjson
from pydantic import ValidationError

from feltlab.server.models import MAX_QUOTED_CHARS, Malformed, RequestModel

MAX_JSON_DEPTH = 16
TOO_DEEP = "The request is nested too deeply."
Model = TypeVar("Model", bound=RequestModel)


def parse_model(model: type[Model], data: Any) -> Model:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise Malformed(describe_errors(error.errors(include_url=False, include_context=False))) from None


def parse_json(text: str | bytes) -> Any:
    """The content of a JSON text; refuses numbers that JSON lacks, half characters and repeated names."""
    try:
        _check_depth(orjson.loads(text))  # stricter than Python's reader, but it accepts repeated names
        return _READER.decode(text if isinstance(text, str) else text.decode())
    except RecursionError:
        raise Malformed(TOO_DEEP) from None
    except Malformed:
        raise
    except ValueError:
        raise Malformed("The request is not JSON.") from None


def _check_depth(parsed: Any) -> None:
    """Refuse what is nested deeper than any request; one level at a time, so that no depth is too much."""
    level, depth = [parsed], 0
    while level := [value for value in level if isinstance(value, dict | list)]:
        depth += 1
        if depth > MAX_JSON_DEPTH:
            raise Malformed(TOO_DEEP)
        level = [inner for value in level for inner in (value.values() if isinstance(value, dict) else value)]


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) < len(pairs):
        raise Malformed("A name is repeated in the request.")
    return built


_READER = json.JSONDecoder(object_pairs_hook=_build_object)  # once: making one takes longer than reading
_SENTENCES = {
    "missing": "is missing",
    "extra_forbidden": "is not a field of this request",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "string_type": "must be text",
    "dict_type": "must be an object of names and values",
    "model_type": "must be an object of names and values",
    "model_attributes_type": "must be an object of names and values",
    "bool_type": "must be true or false",
    "float_type": "must be a number",
    "string_pattern_mismatch": "has characters that are not possible there",
}


def describe_errors(errors: Iterable[Mapping[str, Any]]) -> str:
    """The first validation error as one sentence."""
    first = next(iter(errors))
    place = [str(part) for part in first["loc"] if part not in ("body", "path", "query", "header")]
    what = quote_text(".".join(place)) or "The request"
    problem = _SENTENCES.get(first["type"])
    if problem:
        return f"{what} {problem}."
    message = str(first["msg"])
    return f"{what}: {message[:1].lower()}{message[1:]}."


def quote_text(text: str) -> str:
    """A client's text, shortened and without characters that cannot be printed."""
    return "".join(letter for letter in text[:MAX_QUOTED_CHARS] if letter.isprintable())
