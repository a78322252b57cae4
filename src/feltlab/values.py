"""Frozen values: how they are built where their fields have been checked already."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

Value = TypeVar("Value")
T = TypeVar("T")

_new, _set = object.__new__, object.__setattr__


if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 - named like the one that it replaces
        """`functools.cached_property` without its lock, which Python 3.11 takes at every first look.

        Two threads may both compute a value; it is the same.
        """

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value


def set_frozen(value: object, **fields: object) -> None:
    """Set fields of a frozen dataclass in its `__post_init__`."""
    for name, field in fields.items():
        object.__setattr__(value, name, field)


def build_unchecked(kind: type[Value], /, **fields: object) -> Value:
    """Build a frozen dataclass without `__post_init__`.

    The caller has validated the fields; live tables need the speed.
    """
    value = _new(kind)
    _set(value, "__dict__", fields)
    return value


def remember(value: object, name: object, make: Callable[[], T]) -> T:
    """What `make` says about a frozen value, made once and kept with it under a name."""
    known: dict[object, Any] = value.__dict__.setdefault("_known", {})
    if name not in known:
        known[name] = make()
    return cast(T, known[name])


def replace_unchecked(value: Value, /, **changes: object) -> Value:
    """Replace fields of a frozen dataclass without `__post_init__`; cached properties are dropped.

    They come after the fields, because every field is set before anything is looked at.
    """
    kind, state = type(value), value.__dict__.copy()
    surplus = len(state) - len(kind.__dataclass_fields__)  # type: ignore[attr-defined]
    while surplus > 0:
        state.popitem()
        surplus -= 1
    state.update(changes)
    other = _new(kind)
    _set(other, "__dict__", state)
    return other
