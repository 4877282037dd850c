"""The declarations of queue options over HTTP."""

import httpx

from lastvalue.queues.options import OPTIONS


async def test_each_option_is_described(http: httpx.AsyncClient) -> None:
    options = {each["name"]: each for each in (await http.get("/queue-options")).json()["options"]}
    assert list(options) == [option.name for option in OPTIONS]
    assert options["paused"] == {
        "name": "paused",
        "kind": "flag",
        "choices": [],
        "default": False,
        "unit": "",
        "sentence": "The queue delivers nothing.",
        "types": ["standard", "lvq", "priority", "sorted"],
        "for_life": False,
    }
    assert (options["durable"]["for_life"], options["lvq_key"]["for_life"]) == (True, True)
    assert options["type"]["choices"] == ["standard", "lvq", "priority", "sorted"]
