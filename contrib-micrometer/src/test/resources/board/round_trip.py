"""Reads the board that is named, writes it by Grafana's SDK, and prints what was lost or changed."""
import json
import sys

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard


def lost(path, before, after):
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            if key in after:
                yield from lost(f"{path}.{key}", value, after[key])
            else:
                yield f"{path}.{key} is dropped"
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, value in enumerate(before):
            yield from lost(f"{path}[{place}]", value, after[place])
    elif before != after:
        yield f"{path} was {before!r} and became {after!r}"


register_default_plugins()
with open(sys.argv[1], encoding="utf-8") as file:
    board = json.load(file)
faults = list(lost("board", board, json.loads(json.dumps(Dashboard.from_json(board), cls=JSONEncoder))))
print("\n".join(faults))
sys.exit(1 if faults else 0)
