"""The lastvalue package as a zip file, which Spark distributes to the workers of a cluster."""

import hashlib
import zipfile
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import lastvalue

_MODULES: Final = ("pyspark_lastvalue", "mypy_extensions", "scramp", "asn1crypto")
"""The other modules in the file: the one by which Spark finds the formats, and pure Python dependencies."""
_WITH_METADATA: Final = ("scramp",)
"""Packages that look up their own version when they are imported."""
_IN_PYTHON: Final = {
    "librt/__init__.py": "__init__.py",
    "librt/strings.py": "bytes_writer.py",
    "librt/vecs.py": "number_vec.py",
}
"""What stands for a compiled dependency, by its name in the file, in this directory."""
_EXCLUDED: Final = (".pyc", ".pyi", ".so")


def package_file(directory: Path) -> Path:
    """A zip file of the package and its dependencies; creates it in the directory unless it exists.

    It contains sources, because compiled modules cannot be imported from a zip file and belong to one
    platform.
    """
    root = Path(lastvalue.__file__).parent
    files = {f"lastvalue/{path.relative_to(root)}": path for path in sorted(root.rglob("*.py"))}
    for name in _MODULES:
        files |= _files_of(name)
    files |= {name: Path(__file__).with_name(plain) for name, plain in _IN_PYTHON.items()}
    contents = {name: path.read_bytes() for name, path in files.items()}
    for name in _WITH_METADATA:
        version = distribution(name).version
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        contents[f"{name}-{version}.dist-info/METADATA"] = text.encode()
    digest = hashlib.sha256()
    for name, content in contents.items():
        digest.update(name.encode() + b"\0" + content)
    target = directory / f"lastvalue-{digest.hexdigest()[:12]}.zip"
    if not target.exists():
        directory.mkdir(parents=True, exist_ok=True)
        draft = target.with_suffix(".part")
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in contents.items():
                archive.writestr(name, content)
        draft.replace(target)
    return target


def _files_of(module: str) -> dict[str, Path]:
    """The files of an installed module or package, by their names in the zip file."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return {}
    origin = Path(spec.origin)
    if origin.name != "__init__.py":
        return {origin.name: origin} if origin.suffix == ".py" else {}
    root = origin.parent
    return {
        f"{module}/{path.relative_to(root)}": path
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.suffix not in _EXCLUDED
    }
