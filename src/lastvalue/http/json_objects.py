"""JSON objects, and other content, in the bodies of requests."""

from typing import Any, Final, TypeVar

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from lastvalue.http.problems import FieldProblem
from lastvalue.model.nested_json import parse_json

JSON: Final = "application/json"

_Model = TypeVar("_Model", bound=BaseModel)


async def json_object(request: Request) -> dict[str, Any]:
    """The JSON object in the body; an empty body is an empty one.

    Raises:
        Problem: the body is something else.
    """
    body = await request.body()
    try:
        parsed = parse_json(body) if body else {}
    except ValueError as error:
        raise FieldProblem("body", f"the body is not JSON: {error}") from None
    if not isinstance(parsed, dict):
        raise FieldProblem("body", "the body must be a JSON object")
    return parsed


async def json_model(request: Request, kind: type[_Model]) -> _Model:
    """The JSON object in the body as a model, whatever media type the request says.

    Raises:
        Problem: the body is no JSON object.
        RequestValidationError: it does not fit the model.
    """
    body = await json_object(request)
    try:
        return kind.model_validate(body)
    except ValidationError as error:
        faults = [{**each, "loc": ("body", *each["loc"])} for each in error.errors(include_url=False)]
        raise RequestValidationError(faults) from None
