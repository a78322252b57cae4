"""Frozen values: how they are built where their fields have been checked already."""

from typing import TypeVar

Value = TypeVar("Value")


def set_frozen(value: object, **fields: object) -> None:
    """Set fields of a frozen dataclass in its `__post_init__`."""
    for name, field in fields.items():
        object.__setattr__(value, name, field)


def build_unchecked(kind: type[Value], **fields: object) -> Value:
    """Build a frozen dataclass without `__post_init__`.

    The caller has validated the fields; live tables need the speed.
    """
    value = object.__new__(kind)
    vars(value).update(fields)
    return value


def replace_unchecked(value: Value, **changes: object) -> Value:
    """Replace fields of a frozen dataclass without `__post_init__`; cached properties are dropped."""
    state, names = vars(value), getattr(type(value), "__dataclass_fields__")  # noqa: B009
    kept = state if len(state) == len(names) else {name: state[name] for name in names}
    return build_unchecked(type(value), **{**kept, **changes})
