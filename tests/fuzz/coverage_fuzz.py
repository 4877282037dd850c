"""Coverage-guided fuzzing of one target: python tests/fuzz/coverage_fuzz.py TARGET SECONDS [FILE].

Starts from the seeds, keeps what it finds in build/fuzz/TARGET, and stops at the first exception with the
input in a file `crash-…`. With FILE that input alone is run.
"""

import sys
from pathlib import Path

import atheris

HERE = Path(__file__).parent
# The clients that the scripts move are those of the dialogues.
sys.path.append(str(HERE.parent / "dialogue"))

with atheris.instrument_imports(include=["lastvalue"]):
    from core_target import fuzz_core
    from targets import TARGETS

TARGETS["core"] = fuzz_core
SEEDS = HERE / "seeds"


def main() -> None:
    name, seconds, *files = sys.argv[1:]
    found = Path("build/fuzz") / name
    found.mkdir(parents=True, exist_ok=True)
    corpus = files or [str(found), str(SEEDS / name)]
    limits = [f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2000", "-max_len=1200"]
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix=build/fuzz/{name}-", *corpus], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
