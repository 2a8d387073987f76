import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalJson } from '../canonical-json.ts';
import { type AuditEntry, type AuditHead, chainEntry, emptyChain } from '../documents/audit.ts';
import { examineTrail } from './examine-trail.ts';

const id = '0199f0a2-7c1e-7b43-9d0e-5a1c2b3d4e5f';
const content = Buffer.from(
  canonicalJson({
    id,
    title: 'Lease',
    type: 'contract',
    parties: [{ id: 'p1', name: 'Ada', kind: 'signer', role: null }],
  }),
);
const contentSha256 = createHash('sha256').update(content).digest('hex');

const steps: Array<Omit<AuditEntry, 'seq'>> = [
  { at: '2026-03-01T00:00:00.000Z', actor: 'api_key:k', action: 'created', detail: {} },
  { at: '2026-03-01T00:01:00.000Z', actor: 'api_key:k', action: 'sent', detail: { content_sha256: contentSha256 } },
  {
    at: '2026-03-01T00:01:00.000Z',
    actor: 'service',
    action: 'requested',
    detail: { recipient_id: 'p1', channel: 'sms' },
  },
  {
    at: '2026-03-01T00:02:00.000Z',
    actor: 'recipient:p1',
    action: 'signed',
    detail: { auth_level: 'l1_email_sms_otp', method: 'drawn' },
  },
  { at: '2026-03-01T00:02:00.000Z', actor: 'service', action: 'completed', detail: {} },
];

interface Embedded {
  seq: number;
  at: string;
  hash: string;
  previous_hash: string;
}

/** As sealing embeds a trail. */
function chained(entries: readonly Omit<AuditEntry, 'seq'>[]): Embedded[] {
  let head: AuditHead = emptyChain;
  return entries.map((entry) => {
    const { hash, previousHash, ...rest } = chainEntry(id, head, entry);
    head = { seq: rest.seq, hash };
    return { ...rest, hash: hash.toString('hex'), previous_hash: previousHash.toString('hex') };
  });
}

function examine(files: Record<string, string | Buffer>, sealedFile = '') {
  const { findings, recipients } = examineTrail(Buffer.from(sealedFile), (name) =>
    files[name] === undefined ? null : Buffer.from(files[name]),
  );
  return { ids: findings.map((found) => found.id), detail: findings[0]?.detail, recipients };
}

const withTrail = (trail: unknown, file: Buffer = content) =>
  examine({ 'content.json': file, 'audit.json': JSON.stringify(trail) });

test('an intact trail has who signed, how they were identified, and when', () => {
  const { ids, detail, recipients } = withTrail(chained(steps));
  expect(ids).toEqual(['audit_trail_intact', 'content_as_sent']);
  expect(detail).toEqual({ entries: 5, hash: chained(steps).at(-1)?.hash });
  expect(recipients).toEqual([
    {
      id: 'p1',
      name: 'Ada',
      kind: 'signer',
      role: null,
      channel: 'sms',
      authLevel: 'l1_email_sms_otp',
      viewedAt: null,
      signedAt: '2026-03-01T00:02:00.000Z',
      method: 'drawn',
      attestation: null,
    },
  ]);
});

test('a changed, missing, repeated or moved entry is found', () => {
  const trail = chained(steps);
  const brokenAt = (changed: unknown[]) => {
    const { ids, detail } = withTrail(changed);
    return ids.includes('audit_trail_broken') ? detail?.entry : null;
  };
  expect(brokenAt(trail.map((entry) => (entry.seq === 4 ? { ...entry, at: '2026-02-01T00:00:00.000Z' } : entry)))).toBe(
    4,
  );
  expect(brokenAt(trail.filter(({ seq }) => seq !== 1))).toBe(2);
  expect(brokenAt(trail.filter(({ seq }) => seq !== 3))).toBe(4);
  expect(brokenAt([...trail, trail.at(-1)])).toBe(5);
  expect(brokenAt([trail[1], trail[0], ...trail.slice(2)])).toBe(2);
});

test('a trail of another document or other content is refused', () => {
  const other = Buffer.from(content.toString().replace(id, id.replace('5f', '60')));
  expect(withTrail(chained(steps), other).ids).toEqual(['audit_trail_broken', 'content_not_as_sent']);
  const retitled = Buffer.from(content.toString().replace('Lease', 'Sale'));
  expect(withTrail(chained(steps), retitled).ids).toEqual(['audit_trail_intact', 'content_not_as_sent']);
});

test('after a reassignment, the new recipient and the new content count', () => {
  const at = '2026-03-01T00:01:30.000Z';
  const former = Buffer.from(content.toString().replace('Ada', 'Grace'));
  const sent = { content_sha256: createHash('sha256').update(former).digest('hex') };
  const trail = steps.flatMap((step): typeof steps => {
    if (step.action === 'sent') return [{ ...step, detail: sent }];
    if (step.action !== 'requested') return [step];
    return [
      step,
      { at, actor: 'recipient:p1', action: 'viewed', detail: {} },
      { at, actor: 'operator', action: 'reassigned', detail: { recipient_id: 'p1', content_sha256: contentSha256 } },
      { ...step, at },
    ];
  });
  const { ids, recipients } = withTrail(chained(trail));
  expect(ids).toEqual(['audit_trail_intact', 'content_as_sent']);
  expect(recipients).toMatchObject([
    { name: 'Ada', channel: 'sms', viewedAt: null, signedAt: '2026-03-01T00:02:00.000Z' },
  ]);
  expect(withTrail(chained(trail), former).ids).toEqual(['audit_trail_intact', 'content_not_as_sent']);
  const unsigned = trail.filter(({ action }) => action !== 'signed');
  const signedBefore = unsigned.flatMap((step) => (step.action === 'viewed' ? [step, ...steps.slice(3, 4)] : [step]));
  expect(withTrail(chained(signedBefore)).ids).toContain('signature_not_in_trail');
});

test('a recipient without a signature in the trail is found', () => {
  const { ids } = withTrail(chained(steps.filter(({ action }) => action !== 'signed')));
  expect(ids).toEqual(['audit_trail_intact', 'content_as_sent', 'signature_not_in_trail']);
});

test('a file without a trail and a file with an invalid trail get different findings', () => {
  expect(examine({}).ids).toEqual(['no_audit_trail']);
  const nonsense = ['', '{}', '[1]', '[{"seq":1}]', '['.repeat(100_000), 'null'];
  for (const audit of nonsense) {
    expect(examine({ 'content.json': content, 'audit.json': audit }).ids).toEqual(['audit_trail_unreadable']);
  }
  expect(examine({ 'content.json': content }).ids).toEqual(['audit_trail_unreadable']);
  expect(examine({ 'content.json': '[]', 'audit.json': '[]' }).ids).toEqual(['audit_trail_unreadable']);
  const huge = Buffer.alloc(17 * 2 ** 20, ' ');
  expect(examine({ 'content.json': huge, 'audit.json': '[]' }).ids).toEqual(['audit_trail_unreadable']);
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const digest = (text: string) => ({ sha256: sha256(text), bytes: text.length });

/** Examines a document whose attached file is `the file`. */
function withFile(facts: Record<string, unknown>, sealedFile: string, more: Record<string, string> = {}) {
  const file = { name: 'lease.pdf', sha256: sha256('the file') };
  const described = canonicalJson({ ...JSON.parse(content.toString()), file });
  const entries = steps.map((step) =>
    step.action === 'sent' ? { ...step, detail: { content_sha256: sha256(described) } } : step,
  );
  const own = { name: 'lease.pdf', before: digest('the file'), after: null, ...facts };
  const files = { 'content.json': described, 'audit.json': JSON.stringify(chained(entries)), ...more };
  return examine('file.json' in more ? files : { ...files, 'file.json': JSON.stringify(own) }, sealedFile).ids.filter(
    (id) => !intact.includes(id),
  );
}

const intact = ['audit_trail_intact', 'content_as_sent'];

test('the attached file is found in the sealed file, in each manner', () => {
  const filled = digest('the file, filled in');
  expect(withFile({ manner: 'pages', after: filled }, 'the file, filled in and sealed')).toEqual(['file_as_attached']);
  expect(withFile({ manner: 'signed' }, 'the file, sealed')).toEqual(['file_as_attached']);
  expect(withFile({ manner: 'enclosed' }, 'another', { 'attached.pdf': 'the file' })).toEqual(['file_as_attached']);
  expect(withFile({ manner: 'rewritten', after: digest('a copy') }, 'a copy, sealed')).toEqual(['file_rewritten']);
});

test('another file in place of the attached one is found', () => {
  const filled = digest('the file, filled in');
  const other = ['file_not_as_attached'];
  expect(withFile({ manner: 'pages', after: filled }, 'another file, filled in')).toEqual(other);
  expect(withFile({ manner: 'pages', after: digest('else') }, 'the file, filled in')).toEqual(other);
  expect(withFile({ manner: 'signed', before: digest('another') }, 'another, sealed')).toEqual(other);
  expect(withFile({ manner: 'enclosed' }, 'the file', { 'attached.pdf': 'another' })).toEqual(other);
  expect(withFile({ manner: 'enclosed' }, 'the file')).toEqual(other);
  expect(withFile({ manner: 'signed', before: { ...digest('the file'), bytes: 1e9 } }, 'the file')).toEqual(other);
});

test('the facts about the attached file must be readable', () => {
  expect(withFile({ manner: 'shredded' }, 'the file')).toEqual(['audit_trail_unreadable']);
  expect(withFile({}, 'the file', { 'file.json': '{' })).toEqual(['audit_trail_unreadable']);
});

const filled = [{ id: 'f1', value: 'Blue door' }];

/** Examines a trail in which Ada signed `filled`, with the embedded values. */
function withValues(embedded: unknown) {
  const trail = steps.map((step) =>
    step.action === 'signed'
      ? { ...step, detail: { ...step.detail, fields_sha256: sha256(canonicalJson(filled)) } }
      : step,
  );
  const values = embedded === undefined ? {} : { 'values.json': JSON.stringify(embedded) };
  const found = examine({ 'content.json': content, 'audit.json': JSON.stringify(chained(trail)), ...values });
  return found.ids.filter((id) => !intact.includes(id));
}

test('embedded values that a recipient did not sign are found', () => {
  const own = (values: unknown) => ({ recipient_id: 'p1', values });
  const differing = ['values_not_as_signed'];
  expect(withValues([own(filled)])).toEqual(['values_as_signed']);
  expect(withValues([own([{ id: 'f1', value: 'Red door' }])])).toEqual(differing);
  expect(withValues([own([{ id: 'f2', value: 'Blue door' }])])).toEqual(differing);
  expect(withValues([own([...filled, { id: 'f2', value: 'true' }])])).toEqual(differing);
  expect(withValues([])).toEqual(differing);
  expect(withValues([own(filled), { recipient_id: 'p2', values: filled }])).toEqual(differing);
  const strangers = ['p2', 'p3', 'p2'].map((recipient_id) => ({ recipient_id, values: filled }));
  expect(withValues([own(filled), ...strangers])).toEqual([...differing, ...differing]);
  expect(withValues(undefined)).toEqual(['no_values']);
  expect(withValues([{ recipient_id: 'p1' }])).toEqual(['audit_trail_unreadable']);
});
