"""A hook of MkDocs: the index of the pages is the navigation, and what is no page is named, not linked."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

INDEX: Final = "README.md"
_SECTION: Final = re.compile(r"(?m)^## (.+)$")
_LINK: Final = re.compile(r"\[([^\]]+)\]\(([^)\s]+?)(#[^)]*)?\)")


def on_config(config: Any) -> Any:
    """Take the navigation from the index of the documentation."""
    config["nav"] = navigation(Path(config["docs_dir"]))
    return config


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Leave out links to files that the site does not have, such as tests; their names stay."""
    return within_site(markdown, page.file.src_uri)


def navigation(docs: Path) -> list[dict[str, Any]]:
    """The sections of the index with their pages, in its order; the index itself is the first page.

    An index of a folder, such as that of the decisions, has the pages that it lists below it.
    """
    parts = _SECTION.split((docs / INDEX).read_text())
    texts = dict(zip(parts[1::2], parts[2::2], strict=True))
    named = {target for text in texts.values() for _, target in _links(text)}
    sections = [
        {title: [_entry(docs, named, *each) for each in _links(text)]} for title, text in texts.items()
    ]
    return [{"Documentation": INDEX}, *sections]


def _entry(docs: Path, named: set[str], title: str, target: str) -> dict[str, Any]:
    title = title[:1].upper() + title[1:]
    folder = posixpath.dirname(target)
    below = _links((docs / target).read_text()) if target.endswith(f"/{INDEX}") else ()
    pages = [(name, posixpath.join(folder, page)) for name, page in below if "/" not in page]
    own = [{name: page} for name, page in pages if page not in named]
    return {title: [target, *own] if own else target}


def _links(text: str) -> Iterator[tuple[str, str]]:
    """The pages of the documentation that a text links to, each with its title."""
    for title, target, _ in _LINK.findall(text):
        if target.endswith(".md") and not target.startswith(".."):
            yield title, target


def within_site(markdown: str, page: str) -> str:
    """The text of a page with links inside of the documentation alone."""

    def link(found: re.Match[str]) -> str:
        title, target, _ = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        return title if path.startswith("..") else found[0]

    return _LINK.sub(link, markdown)
