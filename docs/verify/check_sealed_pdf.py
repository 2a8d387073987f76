#!/usr/bin/env python3
"""Checks a PDF that Countersign sealed, without Countersign. docs/verify.md explains each check.
usage: check_sealed_pdf.py FILE.pdf SEAL.pem [TSA.pem]
  SEAL.pem  certificates of the service, from a source that you trust
  TSA.pem   certificates of time-stamp authorities; the seal must then have a time-stamp of one of them
Exit code: 0 genuine, 1 refused, 2 not checked. Needs Python 3.8, OpenSSL 3 and qpdf 11.
"""
import base64, datetime, hashlib, json, os, pathlib, re, subprocess, sys, tempfile
DATA, SIGNING_TIME, MESSAGE_DIGEST, TIME_STAMP = map(bytes.fromhex, (
    '06092a864886f70d010701', '06092a864886f70d010905', '06092a864886f70d010904', '060b2a864886f70d010910020e'))

def check(holds, name, good, bad):
    line = f'ok    {name}: {good}' if holds else f'FAIL  {name}: {bad}'
    print(''.join(sign if sign.isprintable() else '?' for sign in line))
    if not holds: sys.exit(1)
def run(*command): return subprocess.run([str(part) for part in command], capture_output=True, timeout=120)
def sha256(data): return hashlib.sha256(data).hexdigest()
def reason(answer): return ' / '.join(re.findall(r':error:[^:]*:[^:]*:[^:]*:([^:]*)', answer.stderr.decode())) or 'refused'

def read(data):
    """Reads one DER value. Returns its tag, its content and its whole encoding."""
    start = 2 + (data[1] & 0x7f if data[1] & 0x80 else 0)
    size = int.from_bytes(data[2:start], 'big') if data[1] & 0x80 else data[1]
    if start + size > len(data) or (start > 2 and (size < 128 or not data[2])): raise ValueError('not DER')
    return data[0], data[start:start + size], data[:start + size]

def parts(content):
    first = read(content)[2] if content else b''
    return [read(first), *parts(content[len(first):])] if first else []
def attributes_in(content): return {parts(one[1])[0][2]: parts(parts(one[1])[1][1]) for one in parts(content)}
class Number(str): """A number, as the JSON text writes it."""
def read_json(data): return json.loads(data.decode(), parse_int=Number, parse_float=Number)
def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode('utf-16-be'))
        return '{' + ','.join(f'{canonical(name)}:{canonical(value[name])}' for name in names) + '}'
    if isinstance(value, list): return '[' + ','.join(map(canonical, value)) + ']'
    return value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)

class Pdf:  # The current objects of a PDF, as qpdf reads them.
    def __init__(self, path):
        answer = run('qpdf', '--json', '--json-key=qpdf', path)
        check(answer.returncode in (0, 3), 'structure', 'qpdf reads the file', 'qpdf cannot read the file')
        self.path, self.objects = path, json.loads(answer.stdout)['qpdf'][1]
    def get(self, item, *names):
        item = self.objects.get(f'obj:{item}', item) if isinstance(item, str) else item
        if isinstance(item, dict): item = item['stream']['dict'] if 'stream' in item else item.get('value', item)
        return item if not names else self.get(item.get(names[0]), *names[1:]) if isinstance(item, dict) else None
    def embedded(self, name, field):
        for file in self.get(field, '/AP', '/N', '/AF') or []:
            if self.get(file, '/UF') == f'u:{name}':
                ref = self.get(file, '/EF')['/F'].replace(' ', ',')[:-2]
                return run('qpdf', f'--show-object={ref}', '--filtered-stream-data', self.path).stdout
        return run('qpdf', f'--show-attachment={name}', self.path).stdout

def signatures(pdf):
    """Returns the signature fields with a usable range, and their ranges."""
    ranges = [(one[4:], pdf.get(one[4:], '/V', '/ByteRange')) for one in pdf.objects if pdf.get(one[4:], '/FT') == '/Sig']
    return [(one, r) for one, r in ranges if isinstance(r, list) and [type(n) for n in r] == [int] * 4 and min(r) >= 0]
def is_stamp(pdf, field): return pdf.get(field, '/V', '/SubFilter') == '/ETSI.RFC3161'
def numbers(pdf):
    rows = run('qpdf', '--show-xref', pdf.path).stdout.decode().splitlines()
    return {row.partition('/')[0] + ' 0 R': row for row in rows}
def without(keys, found): return {key: value for key, value in (found or {}).items() if key not in keys}

def as_sealed(pdf, data, tsa_pem, folder):
    """Returns the file without what follows the seal, and the first time-stamp of that. Only updates that end with a time-stamp
    and show nothing may follow, with data for checking the signatures later. Each is compared with the file before it."""
    ends = [r[2] + r[3] for field, r in signatures(pdf) if not is_stamp(pdf, field)]
    stamps = [(r[2] + r[3], field, r) for field, r in signatures(pdf) if is_stamp(pdf, field) and ends and r[2] + r[3] > max(ends)]
    if not stamps: return pdf, data, None
    old = before = cut(data, max(ends), folder)
    tokens, end = [], max(ends)
    for size, field, (a, b, c, d) in sorted(stamps):
        whole = a == 0 and end < b and size <= len(data) and re.fullmatch(rb'<(?:[0-9A-Fa-f]{2})+>', data[b:c])
        whole = whole and re.search(rb'%%EOF\s*$', data[:size][-20:])
        check(whole, 'extent', 'a time-stamp of the file', 'a time-stamp of something else')
        after = cut(data, size, folder)
        check(only_stamps(before, after, field), 'added', f'{size - end} bytes of a time-stamp', f'{size - end} bytes change the file')
        contents = bytes.fromhex(data[b + 1:c - 1].decode())
        token = read(contents)[2]
        check(not any(contents[len(token):]), 'padding', 'zero', 'the bytes after the time-stamp are not all zero')
        before, end, tokens = after, size, [*tokens, (token, data[:b] + data[c:size])]
    left = len(data) - end
    data_only = left and re.search(rb'%%EOF\s*$', data[-20:]) and only_stamps(before, cut(data, len(data), folder))
    check(left == 0 or data_only, 'end', 'is time-stamped' if left == 0 else f'{left} bytes of validation data', f'{left} bytes follow the time-stamp')
    covered_at = None
    for token, stamped in reversed(tokens if tsa_pem else []): covered_at = check_stamp(token, stamped, tsa_pem, folder, covered_at)
    return old, data[:max(ends)], covered_at

def cut(data, size, folder):
    path = pathlib.Path(folder, f'{size}.pdf')
    path.write_bytes(data[:size])
    return Pdf(path)

def reach(pdf, start):
    """Returns the objects that a value leads to."""
    found, waiting = set(), [start]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict): waiting += item.values()
        elif isinstance(item, list): waiting += item
        elif f'obj:{item}' in pdf.objects and item not in found: waiting.append(found.add(item) or pdf.get(item))
    return found

def only_stamps(old, new, *field):
    """Whether an update adds an invisible field with a time-stamp, if one is given, and validation data, and nothing else."""
    both = old, new
    tops = [one.objects['trailer']['value'] for one in both]
    catalogs, forms = zip(*[(one.get(top['/Root']), one.get(top['/Root'], '/AcroForm')) for one, top in zip(both, tops)])
    lists = [one.get(form['/Fields']) for one, form in zip(both, forms)]
    before, after, mentioned = numbers(old), numbers(new), json.dumps(list(old.objects.values()))
    added, changed = {*after} - {*before}, {one for one in before if before[one] != after.get(one)}
    same = all(tops[0].get(key) == tops[1].get(key) for key in ('/Root', '/Info')) and lists[0] + [*field] == lists[1]
    data = ['/AcroForm', '/DSS', '/Extensions']
    same = same and without(data, catalogs[0]) == without(data, catalogs[1])
    same = same and without(['/Fields', '/SigFlags'], forms[0]) == without(['/Fields', '/SigFlags'], forms[1])
    kept = [(catalogs, '/AcroForm'), (forms, '/Fields')]
    known = [tops[0]['/Root'], *(pair[0][key] for pair, key in kept if pair[0][key] == pair[1][key])]
    known = {one for one in known if isinstance(one, str)}
    used = reach(old, [without(['/DSS'], catalogs[0]), tops[0].get('/Info')]) if changed - known else set()
    own = reach(old, catalogs[0].get('/DSS')) - used - {tops[0]['/Root']} if changed - known else set()
    same = same and changed <= known | own
    same = same and not any(f'"{one}"' in mentioned for one in added)
    unseen = all((new.get(one, '/Subtype'), new.get(one, '/Rect')) == ('/Widget', [0] * 4) for one in field)
    unseen = unseen and not any({'/AP', '/AA', '/A', '/Kids'} & {*new.get(one)} for one in field)
    kinds = {one for one in added if new.get(one, '/Type') not in ('/XRef', '/ObjStm')}
    stamps = {*field, *(new.get(one)['/V'] for one in field)}
    return same and unseen and stamps <= kinds <= stamps | reach(new, catalogs[1].get('/DSS'))

def check_stamp(token, stamped, tsa_pem, folder, covered_at=None):
    """Checks that a given authority made a time-stamp of these bytes, and says if its certificate had ended when the next
    time-stamp covered it: then only the time of that one is sure. Returns its time."""
    paths = [pathlib.Path(folder, name) for name in ('token', 'stamped')]
    for path, content in zip(paths, (token, stamped)): path.write_bytes(content)
    text = run('openssl', 'ts', '-reply', '-token_in', '-in', paths[0], '-text').stdout.decode()
    found = re.search(r'Time stamp: (\w+ +\d+ [\d:]+)[.\d]* (\d+) GMT', text)
    check(found, 'time-stamp', 'there is one', 'there is no readable time-stamp')
    at = datetime.datetime.strptime(' '.join((*found.groups(), '+0000')), '%b %d %H:%M:%S %Y %z')
    check(covered_at is None or at <= covered_at + datetime.timedelta(minutes=5), 'order', 'it is earlier than the next', 'it is later than the next')
    for when in sorted({at, covered_at or at}):
        answer = run('openssl', 'ts', '-verify', '-token_in', '-in', paths[0], '-data', paths[1],
                     '-CAfile', tsa_pem, '-partial_chain', '-attime', int(when.timestamp()))
        if when > at and answer.returncode: print(f'note  ended: its certificates were no longer valid on {when:%FT%TZ}')
        else: check(answer.returncode == 0, 'authority', f'a given authority stated {at:%FT%TZ}, valid on {when:%FT%TZ}', reason(answer))
    return at

def find_seal(pdf, data):
    """Returns the signature field whose range ends with the file, its CMS, and the bytes that it covers."""
    ranges = signatures(pdf)
    check(ranges, 'seal', 'the document has a signature', 'the document has no signature with a usable /ByteRange')
    left = len(data) - max(r[2] + r[3] for _, r in ranges)
    check(left == 0, 'end', 'is signed', f'{left} bytes follow the signature' if left > 0 else f'{-left} bytes are missing')
    [(field, (a, b, c, _)), *others] = [(one, r) for one, r in ranges if r[2] + r[3] == len(data)]
    exact = not others and a == 0 and re.search(rb'/Contents\s*$', data[max(0, b - 20):b])
    exact = exact and re.fullmatch(rb'<(?:[0-9A-F]{2})+>', data[b:c])
    check(exact, 'coverage', 'every byte except the signature', 'the gap is not one signature in upper-case digits')
    contents = bytes.fromhex(data[b + 1:c - 1].decode())
    cms, names = read(contents)[2], ('/Contents', '/SubFilter')
    used = [pdf.get(field, '/V', name) for name in names] == [f'b:{contents.hex()}', '/ETSI.CAdES.detached']
    check(used, 'use', 'the document uses this signature', 'the document uses another signature, or one of another kind')
    check(not any(contents[len(cms):]), 'padding', 'zero', 'the bytes after the signature are not all zero')
    return field, cms, data[:b] + data[c:]

def verify_cms(cms, content, seal_pem, at):
    return run('openssl', 'cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', cms, '-nointern', '-content', content,
               '-certfile', seal_pem, '-CAfile', seal_pem, '-partial_chain', '-purpose', 'any',
               '-attime', int(at.timestamp()), '-out', os.devnull)

def check_signature(pdf, field, cms, covered, seal_pem, tsa_pem, folder, covered_at):
    version, digests, content, embedded, infos = parts(parts(parts(read(cms)[1])[1][1])[0][1])
    own_version, signer, algorithm, signed, _, signature, *unsigned = parts(parts(infos[1])[0][1])
    signed, unsigned = attributes_in(signed[1]), attributes_in(unsigned[0][1] if unsigned else b'')
    form = (len(parts(infos[1])), version[1], own_version[1], digests[1], content[1]) == (1, b'\1', b'\1', algorithm[2], DATA)
    check(form and {*unsigned} <= {TIME_STAMP}, 'form', 'as sealing writes it', 'the CMS is not as sealing writes it')
    trusted = map(base64.b64decode, re.findall(rb'BEGIN CERTIFICATE-----([^-]+)-', pathlib.Path(seal_pem).read_bytes()))
    own = [one for one in trusted if one in [part[2] for part in parts(embedded[1])] and parts(signer[1])[1][2] in one]
    check(own, 'certificate', own and sha256(own[0]), 'the signature has none of the given certificates')
    digest, stamp = signed[MESSAGE_DIGEST][0][1], unsigned[TIME_STAMP][0][2] if unsigned else b''
    name = {32: 'sha256', 48: 'sha384', 64: 'sha512'}[len(digest)]
    check(hashlib.new(name, covered).digest() == digest, 'bytes', f'unchanged ({name})', 'changed after sealing')
    level = pdf.get(field, '/V', '/Prop_Build', '/App', '/REx')
    check(level in (None, 'u:B-T' if stamp else 'u:B-B'), 'level', (level or 'u:none')[2:], 'a time-stamp was added or removed')
    path = {name: pathlib.Path(folder, name) for name in ('cms', 'covered')}
    for file, content in zip(path.values(), (cms, covered)): file.write_bytes(content)
    when = signed[SIGNING_TIME][0][1].decode()[-13:] if SIGNING_TIME in signed else pdf.get(field, '/V', '/M')[6:]
    at = datetime.datetime.strptime(f'20{when}+0000', '%Y%m%d%H%M%SZ%z')
    if tsa_pem: at = check_stamp(stamp, signature[1], tsa_pem, folder, covered_at)
    answer = verify_cms(path['cms'], path['covered'], seal_pem, at)
    check(answer.returncode == 0, 'signature', f'by a given certificate, valid on {at:%FT%TZ}', reason(answer))

def check_attestations(trail, names, embedded, seal_pem, tsa_pem, folder, covered_at):
    """Checks the service's signature over the audit entry of each act, as the `attested` entries of the trail name them."""
    files = {one['entry']: base64.b64decode(one['cms']) for one in read_json(embedded or b'[]')}
    attested = [(entry, entry['detail']) for entry in trail if entry['action'] == 'attested']
    strangers = {*files} - {detail['entry'] for _, detail in attested}
    for one in strangers: check(False, 'attestation', '', f'there is one of entry {one}, which the audit trail does not name')
    for entry, detail in attested:
        act, cms, name = trail[int(detail['entry']) - 1], files.get(detail['entry']), names.get(detail['recipient_id'], '?')
        mine = (act['actor'], act['hash']) == ('recipient:' + detail['recipient_id'], detail['entry_hash'])
        mine = mine and act['action'] in ('signed', 'approved', 'declined') and cms and sha256(cms) == detail['sha256']
        if not mine: check(False, 'attestation', '', f'that of {name} is missing, or not the one in the audit trail')
        at = datetime.datetime.strptime(entry['at'][:19] + '+0000', '%Y-%m-%dT%H:%M:%S%z')
        paths = [pathlib.Path(folder, name) for name in ('attestation', 'hash')]
        for path, content in zip(paths, (cms, act['hash'].encode())): path.write_bytes(content)
        if tsa_pem and 'time_stamp' in detail:
            info = parts(parts(parts(parts(read(cms)[1])[1][1])[0][1])[-1][1])[0]
            signature, unsigned = parts(info[1])[5:]
            at = check_stamp(attributes_in(unsigned[1])[TIME_STAMP][0][2], signature[1], tsa_pem, folder, covered_at)
        answer = verify_cms(*paths, seal_pem, at)
        good = f"{name}, {act['action']} before {at:%FT%TZ}, signed by a given certificate"
        check(answer.returncode == 0, 'attestation', good, f'that of {name}: {reason(answer)}')

def check_trail(pdf, field, data, seal_pem, tsa_pem, folder, covered_at):
    files = {name: pdf.embedded(f'{name}.json', field) for name in ('content', 'audit', 'values', 'file', 'attestations')}
    check(files['content'] and files['audit'], 'embedded', 'content and audit trail', 'no content.json or no audit.json')
    content, trail, number, previous = read_json(files['content']), read_json(files['audit']), 0, '0' * 64
    for number, entry in enumerate(trail, 1):
        hashed = {'document_id': content['id'], **{key: entry[key] for key in ('seq', 'at', 'actor', 'action', 'detail')}}
        own = sha256(bytes.fromhex(previous) + canonical(hashed).encode())
        if (entry['seq'], entry['previous_hash'], entry['hash']) != (str(number), previous, own): break
        previous, number = own, 0
    check(number == 0, 'audit trail', f'{len(trail)} entries, head {previous}', f'entry {number} does not fit the chain')
    sent = [entry for entry in trail if entry['action'] in ('sent', 'reassigned')][-1]['detail']['content_sha256']
    check(sha256(files['content']) == sent, 'content', f'as sent, {sent}', 'content.json is not what was sent')
    for one in [one for one in content['parties'] if one['kind'] != 'cc']:
        word = 'approved' if one['kind'] == 'approver' else 'signed'
        own = [entry for entry in trail if (entry['action'], entry['actor']) == (word, 'recipient:' + one['id'])
               or (entry['action'], entry['detail'].get('recipient_id')) == ('reassigned', one['id'])]
        at = own[-1]['at'] if own and own[-1]['action'] == word else None
        check(at, 'recipient', f"{one['name']}, {word} {at}", f"{one['name']} has not {word}")
    signed = {entry['actor']: entry['detail']['fields_sha256'] for entry in trail if 'fields_sha256' in entry['detail']}
    values = {'recipient:' + one['recipient_id']: one['values'] for one in read_json(files['values'] or b'[]')}
    same = {*values} <= {*signed} and all(sha256(canonical(values.get(key, [])).encode()) == signed[key] for key in signed)
    check(same, 'values', f'of {len(values)} recipients, as signed', 'values.json is not what the recipients signed')
    names = {one['id']: one['name'] for one in content['parties']}
    check_attestations(trail, names, files['attestations'], seal_pem, tsa_pem, folder, covered_at)
    modes = [entry['detail'].get('mode') for entry in trail if entry['action'] == 'sent']
    if 'test' in modes: print('note  test mode: not a real signature')
    if 'file' not in content: return
    sent, facts = content['file']['sha256'], read_json(files['file'])
    manner, before, after = facts['manner'], facts['before'], facts['after']
    known = {'pages': (before, after), 'rewritten': (after,), 'signed': (before,), 'enclosed': ()}[manner]
    inside = all(sha256(data[:int(part['bytes'])]) == part['sha256'] for part in known) and before['sha256'] == sent
    if manner == 'enclosed': inside = inside and sha256(pdf.embedded('attached.pdf', field)) == sent
    check(inside, 'attached file', f'{manner}, {sent}', 'the attached file is not the one that was sent')

if __name__ == '__main__':
    sys.stdout.reconfigure(errors='backslashreplace')
    if len(sys.argv) not in (3, 4): sys.exit(print(__doc__, file=sys.stderr) or 2)
    path, seal_pem, tsa_pem = (sys.argv + [None])[1:4]
    try:
        for pem in filter(None, (seal_pem, tsa_pem)):
            if b'BEGIN CERTIFICATE' not in pathlib.Path(pem).read_bytes(): raise OSError(f'{pem} has no certificate in PEM')
        data, pdf = pathlib.Path(path).read_bytes(), Pdf(os.path.abspath(path))
        with tempfile.TemporaryDirectory() as folder:
            pdf, data, covered_at = as_sealed(pdf, data, tsa_pem, folder)
            field, cms, covered = find_seal(pdf, data)
            check_signature(pdf, field, cms, covered, seal_pem, tsa_pem, folder, covered_at)
            check_trail(pdf, field, data, seal_pem, tsa_pem, folder, covered_at)
    except (OSError, subprocess.TimeoutExpired) as error:
        sys.exit(print(f'not checked: {error}', file=sys.stderr) or 2)
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError) as error:
        check(False, 'contents', '', f'not readable: {error!r}')
    print('genuine')
