"""packaging/try_install.py: CI runs what the documents say."""

import re
from pathlib import Path

import pytest
from try_install import TRIALS, WHEEL, TrialError, build_instructions, install_blocks, try_readme, use

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
pytestmark = pytest.mark.pure


def test_ci_tries_readme_with_and_without_a_compiler_and_the_others() -> None:
    run = (ROOT / ".ci" / "run").read_text()
    assert 'run_on usual "$PATH" make try-install TRIALS=readme' in run
    without = re.findall(r"""run_on \w+ "\$bare_path" make try-install TRIALS='?([a-z ]+)""", run)
    assert sorted(" ".join(without).split()) == sorted(TRIALS)


def test_every_command_of_readmes_install_is_in_a_block_that_is_run() -> None:
    commands = [command for block in install_blocks(README) for command in block]
    assert commands[0] == "python3 -m venv lv && . lv/bin/activate"
    assert "pip install '.[cli]'" in commands
    assert not [each for each in commands if "#" in each]
    (section,) = re.findall(r"(?ms)^## Install\n(.*?)^## ", README)
    prose = re.sub(r"(?ms)^```\n.*?^```$", "", section)
    assert not re.findall(r"`((?:pip|python3?|lastvalue) [^`]*)`", prose)


def test_the_wheel_that_is_not_built_again_is_built_by_the_tests() -> None:
    assert WHEEL in [command for block in install_blocks(README) for command in block]
    assert "$(MAKE) --no-print-directory wheel" in (ROOT / "Makefile").read_text()


def test_the_first_stage_of_the_containerfile_ends_before_the_next() -> None:
    found = list(build_instructions((ROOT / "packaging" / "Containerfile").read_text()))
    assert {word for word, _ in found} == {"RUN", "COPY", "ARG"}
    assert any("-m build --wheel" in rest for _, rest in found)
    assert not any("PIPELINE_EXTRAS" in rest for _, rest in found)


def test_a_command_that_says_the_wrong_thing_fails(tmp_path: Path) -> None:
    command = tmp_path / "lastvalue"
    command.write_text("#!/bin/sh\necho lastvalue 0.1.0\n")
    command.chmod(0o700)
    with pytest.raises(TrialError, match="should be"):
        use(command)


def test_a_folder_of_the_user_is_not_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lv").mkdir()
    monkeypatch.setattr("try_install.ROOT", tmp_path)
    with pytest.raises(TrialError, match="in the way"):
        try_readme(tmp_path)
    assert (tmp_path / "lv").exists()
