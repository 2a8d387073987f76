#!/usr/bin/env python3
"""Checks the audit trails of a data export, without Countersign. docs/guides/data-export.md explains it.
usage: check_audit_trails.py DIRECTORY
  DIRECTORY  the unpacked export, with audit-trails.jsonl and documents.jsonl
Exit code: 0 intact, 1 broken, 2 not checked. Needs Python 3.8 and check_sealed_pdf.py next to this file.
"""
import itertools, pathlib, sys
from check_sealed_pdf import canonical, check, read_json, sha256

HASHED = ('document_id', 'seq', 'at', 'actor', 'action', 'detail')

def lines(path):
    with path.open('rb') as file: yield from map(read_json, file)
def digest(entry, names): return canonical({name: entry[name] for name in names}).encode()

def is_as_written(entry, trail):
    """An entry whose personal details were erased has its old hash. A later entry has the hash of what is left of it."""
    if not entry['erased_at']:
        return entry['hash'] == sha256(bytes.fromhex(entry['previous_hash']) + digest(entry, HASHED))
    left = {'seq': entry['seq'], 'sha256': sha256(digest(entry, HASHED + ('previous_hash', 'hash')))}
    later = [one for one in trail if int(one['seq']) > int(entry['seq']) and one['action'] == 'personal_data_erased']
    return any(left in one['detail']['entries'] for one in later if not one['erased_at'])

def check_trail(document, trail, head):
    previous = '0' * 64
    for number, entry in enumerate(trail, 1):
        fits = (entry['seq'], entry['previous_hash']) == (str(number), previous) and is_as_written(entry, trail)
        if not fits: check(fits, 'audit trail', '', f'entry {number} of document {document} does not fit the chain')
        previous = entry['hash']
    ends = head == (str(len(trail)), previous)
    if not ends: check(ends, 'audit trail', '', f'the trail of document {document} has lost its end')

if __name__ == '__main__':
    sys.stdout.reconfigure(errors='backslashreplace')
    if len(sys.argv) != 2: sys.exit(print(__doc__, file=sys.stderr) or 2)
    directory = pathlib.Path(sys.argv[1])
    try:
        heads = {one['id']: (one['audit_seq'], one['audit_hash']) for one in lines(directory / 'documents.jsonl')}
        entries = 0
        for document, group in itertools.groupby(lines(directory / 'audit-trails.jsonl'), lambda entry: entry['document_id']):
            trail = list(group)
            check_trail(document, trail, heads.pop(document, None))
            entries += len(trail)
        for document in heads: check(False, 'audit trail', '', f'document {document} has no trail')
    except OSError as error:
        sys.exit(print(f'not checked: {error}', file=sys.stderr) or 2)
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError) as error:
        check(False, 'contents', '', f'not readable: {error!r}')
    print(f'intact: {entries} entries')
