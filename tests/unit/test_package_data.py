"""Files of the package that are no modules, in the source tree and in the wheel."""

import re
from importlib.resources import files


def test_the_package_has_the_console_with_what_its_page_names() -> None:
    folder = files("lastvalue") / "http" / "console_assets"
    names = {each.name for each in folder.iterdir()}
    page = (folder / "index.html").read_text()
    assert set(re.findall(r'(?:href|src)="([^"]+)"', page)) | {"index.html", "LICENSES.txt"} == names


def test_the_package_says_that_it_has_types() -> None:
    assert (files("lastvalue") / "py.typed").is_file()
