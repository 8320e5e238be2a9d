# SPDX-License-Identifier: Apache-2.0
"""Links out of docs/, to sources and to pages at the root, work in the repository and have no target on the site.

On the site they are their text. One that leads nowhere is a warning, which stops a strict build.
"""

import logging
import re
from pathlib import Path

LOG = logging.getLogger("mkdocs.hooks.outside")
FENCED = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?!\w+:)[^)\s#]+)(?:#[^)\s]*)?\)")


def on_page_markdown(markdown, page, config, files):
    docs = Path(config["docs_dir"]).resolve()
    here = (docs / page.file.src_uri).parent

    def inside(link):
        target = (here / link.group(2)).resolve()
        if target.is_relative_to(docs):
            return link.group(0)
        if not target.exists():
            LOG.warning("%s links to %s, which is not there", page.file.src_uri, link.group(2))
        return link.group(1)

    parts = FENCED.split(markdown)
    parts[::2] = [LINK.sub(inside, text) for text in parts[::2]]
    return "".join(parts)
