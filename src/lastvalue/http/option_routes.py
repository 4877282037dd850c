"""The options that queues may have, for forms: /queue-options."""

from typing import Any

from fastapi import APIRouter

from lastvalue.model.jsonable import jsonable
from lastvalue.queues.option import Option
from lastvalue.queues.options import OPTIONS
from lastvalue.queues.spec_arguments import FOR_LIFE

option_routes = APIRouter(prefix="/queue-options", tags=["queues"])


@option_routes.get("")
async def list_options() -> dict[str, Any]:
    """Each option: its kind of value, its default, what it does, of which types, and whether for life."""
    return {"options": [_document(option) for option in OPTIONS]}


def _document(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "kind": option.kind.name.lower(),
        "choices": list(option.form.values),
        "default": jsonable(option.default),
        "unit": option.unit,
        "sentence": option.sentence,
        "types": list(option.types),
        "for_life": option.name in FOR_LIFE,
    }
