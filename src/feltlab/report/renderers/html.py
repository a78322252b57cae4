"""A document as one HTML page that needs nothing else."""

from collections.abc import Iterator
from html import escape
from importlib import resources

from feltlab.report.document import Block, Document, Items, Paragraph, Picture, Section, TableBlock


def render(document: Document) -> str:
    name = f"{escape(document.title)}: {escape(document.kind)}"
    style = (resources.files("feltlab.report.renderers") / "page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{_head(document)}\n{''.join(_sections(document))}{_foot(document)}</main>\n</body>\n</html>\n"
    )


def _head(document: Document) -> str:
    first = [(n, section) for n, section in enumerate(document.sections) if section.level == 1]
    links = "".join(f'<a href="#s{n}">{escape(section.title)}</a>' for n, section in first)
    kind, title = escape(document.kind), escape(document.title)
    warnings = "".join(f'<p class="warning" role="alert">{escape(text)}</p>' for text in document.notices)
    return f'<header><p class="kind">{kind}</p><h1>{title}</h1>{warnings}<nav>{links}</nav></header>'


def _foot(document: Document) -> str:
    digest, date = escape(document.digest), escape(document.date)
    return f"<footer>Rules of {date}, {escape(document.digest_title)} <code>{digest}</code></footer>\n"


def _sections(document: Document) -> Iterator[str]:
    for n, section in enumerate(document.sections):
        yield _section(n, section)


def _section(n: int, section: Section) -> str:
    heading = f"h{section.level + 1}"
    page = ' class="new-page"' if section.new_page else ""
    blocks = "".join(f"{_block(block)}\n" for block in section.blocks)
    return f'<section id="s{n}"{page}>\n<{heading}>{escape(section.title)}</{heading}>\n{blocks}</section>\n'


def _block(block: Block) -> str:
    if isinstance(block, TableBlock):
        return _table(block)
    if isinstance(block, Items):
        kind = "ol" if block.numbered else "ul"
        return f"<{kind}>{''.join(f'<li>{escape(entry)}</li>' for entry in block.entries)}</{kind}>"
    if isinstance(block, Picture):
        return _picture(block)
    return _paragraph(block)


def _paragraph(paragraph: Paragraph) -> str:
    return f'<p class="{paragraph.tone}">{escape(paragraph.text)}</p>'


def _picture(picture: Picture) -> str:
    """The drawing inline, so that the page's colours apply to it."""
    words = escape(picture.words)
    drawing = picture.svg.decode().replace("<svg ", f'<svg role="img" aria-label="{words}" ', 1)
    return f"<figure><div>{drawing}</div><figcaption>{words}</figcaption></figure>"


def _table(table: TableBlock) -> str:
    caption = f'<p class="caption">{escape(table.caption)}</p>\n' if table.caption else ""
    cells = ((column.title, column.right) for column in table.columns)
    head = "".join(f"<th{_right(right)}>{escape(title)}</th>" for title, right in cells)
    body = "".join(_row(table, n) for n in range(len(table.rows)))
    inside = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'{caption}<div class="wide"><table>{inside}</table></div>'


def _row(table: TableBlock, n: int) -> str:
    total, tone = n >= len(table.rows) - table.totals, table.tones[n] if table.tones else "plain"
    kind = "total" if total else tone
    cells = zip(table.rows[n], table.columns, strict=True)
    row = "".join(f"<td{_right(column.right)}>{escape(cell)}</td>" for cell, column in cells)
    return f"<tr{'' if kind == 'plain' else f' class={kind}'}>{row}</tr>"


def _right(right: bool) -> str:
    return ' class="r"' if right else ""
