import { createHash } from 'node:crypto';
import { canonicalJson } from '../../src/canonical-json.ts';
import { type AuditEntry, type AuditHead, chainEntry, emptyChain } from '../../src/documents/audit.ts';
import type { SealFile, SealInput } from '../../src/sealing/seal-input.ts';

/** Adds the content and audit trail that a signed document embeds next to its file. */
export function withTrail(input: SealInput, file: SealFile): SealInput {
  const { id, title, type } = input.document;
  const parties = input.recipients.map(({ id, name, kind, role }) => ({ id, name, kind, role }));
  const described = { name: file.name, sha256: file.sha256, pages: file.pageCount };
  const content = canonicalJson({ id, title, type, parties, file: described });
  const contentSha256 = createHash('sha256').update(content).digest('hex');
  const at = input.document.completedAt;
  const entry = (actor: AuditEntry['actor'], action: AuditEntry['action'], detail = {}) => ({
    at,
    actor,
    action,
    detail,
  });
  const steps = [
    entry('api_key:1', 'created'),
    entry('api_key:1', 'sent', { content_sha256: contentSha256 }),
    ...input.recipients
      .filter(({ kind }) => kind !== 'cc')
      .map(({ id, kind }) => entry(`recipient:${id}`, kind === 'approver' ? 'approved' : 'signed')),
    entry('service', 'completed'),
  ];
  let head: AuditHead = emptyChain;
  const trail = steps.map((step) => {
    const { hash, previousHash, ...rest } = chainEntry(id, head, step);
    head = { seq: rest.seq, hash };
    return { ...rest, hash: hash.toString('hex'), previous_hash: previousHash.toString('hex') };
  });
  return {
    ...input,
    document: { ...input.document, contentSha256, file },
    audit: trail,
    attachments: [json('content.json', content), json('audit.json', JSON.stringify(trail))],
  };
}

function json(name: string, text: string): SealInput['attachments'][number] {
  return { name, mediaType: 'application/json', description: name, bytes: Buffer.from(text).toString('base64') };
}
