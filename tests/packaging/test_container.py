"""packaging/Containerfile. No image is built: that needs a container engine, and images of a registry."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from lastvalue.cli.exits import UsageError
from lastvalue.cli.serve import _check_exposure
from lastvalue.config.merged_options import merged_options
from lastvalue.config.server_options import SETTINGS, ServerOptions

ROOT = Path(__file__).parents[2]
DEVELOPMENT = {"dev", "test", "interop"}
pytestmark = pytest.mark.pure


def stages() -> dict[str, list[tuple[str, str]]]:
    """The instructions of each stage with those of the stage that it builds on, if that is here."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "packaging" / "Containerfile").read_text())
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
    found: dict[str, list[tuple[str, str]]] = {}
    name = ""
    for word, rest in lines:
        if word == "FROM":
            image, _, name = rest.partition(" AS ")
            found[name] = list(found.get(image, []))
        found[name].append((word, rest))
    return found


def values(stage: str, word: str) -> list[str]:
    return [rest for instruction, rest in stages()[stage] if instruction == word]


def variables() -> dict[str, str]:
    """What the image sets of the broker's settings."""
    (text,) = values("broker", "ENV")
    return {name: value for name, _, value in (each.partition("=") for each in text.split())}


def test_both_images_together_have_every_extra_that_a_user_needs() -> None:
    (broker,) = values("build", "ARG")
    pipeline = values("build-pipeline", "ARG")[-1]
    extras = [
        *broker.removeprefix("EXTRAS=").split(","),
        *pipeline.removeprefix("PIPELINE_EXTRAS=").split(","),
    ]
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert sorted(extras) == sorted(set(declared) - DEVELOPMENT)


def test_both_images_build_on_one_image_by_its_digest_for_which_newer_ones_are_proposed() -> None:
    images = [values(stage, "FROM")[0].partition(" AS ")[0] for stage in stages()]
    (image,) = set(images) - set(stages())
    assert re.search(r":3\.\d+-slim@sha256:[0-9a-f]{64}$", image)
    renewed = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text())["updates"]
    assert "/packaging" in [each["directory"] for each in renewed if each["package-ecosystem"] == "docker"]


@pytest.mark.parametrize("stage", ["broker", "pipeline"])
def test_it_runs_as_a_user_who_is_not_root_and_is_known_by_number(stage: str) -> None:
    assert values(stage, "USER") == ["10001"]
    assert any("useradd" in command and "--uid 10001" in command for command in values(stage, "RUN"))


def test_what_is_built_by_default_is_the_broker() -> None:
    assert list(stages())[-1] == "broker"
    assert json.loads(values("broker", "ENTRYPOINT")[0]) + json.loads(values("broker", "CMD")[0]) == [
        "lastvalue",
        "serve",
    ]


def test_its_variables_are_settings_and_make_probes_reach_it() -> None:
    known = {setting.env for setting in SETTINGS.values()}
    assert {name for name in variables() if name.startswith("LASTVALUE_")} <= known
    options = merged_options({}, variables(), {})
    assert (options.host, options.health_host, options.health_port) == ("0.0.0.0", "0.0.0.0", 8080)
    assert [str(options.store)] == values("broker", "VOLUME")
    assert str(options.health_port) in values("broker", "EXPOSE")[0].split()
    assert f":{options.health_port}/readyz" in values("broker", "HEALTHCHECK")[0]


def test_without_users_it_does_not_serve_strangers() -> None:
    with pytest.raises(UsageError, match="--users-file"):
        _check_exposure(merged_options({}, variables(), {}))
    _check_exposure(merged_options({}, variables() | {"LASTVALUE_ANONYMOUS": "true"}, {}))


def test_it_stops_by_the_signal_that_the_broker_drains_at() -> None:
    assert values("broker", "STOPSIGNAL") == ["SIGTERM"]
    assert ServerOptions().drain_timeout_ms > 0
