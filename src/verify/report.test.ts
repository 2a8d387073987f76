import { expect, test } from 'vitest';
import { finding } from './findings.ts';
import { boundReport } from './report.ts';

test('a report on a file that states any number of things of any length stays small', () => {
  const long = 'Ada '.repeat(10_000);
  const document = {
    ...{ id: long, title: long, type: long, mode: null, contentSha256: 'ab', auditEntries: 7, auditHead: 'cd' },
    file: { name: long, manner: 'pages' as const, before: { sha256: 'ef', bytes: 1 }, after: null },
  };
  const recipient = {
    ...{ id: long, name: long, kind: long, role: long, channel: null, authLevel: null, viewedAt: null, signedAt: null },
    ...{ method: null, attestation: null },
  };
  const report = boundReport({
    verdict: 'altered',
    findings: Array.from({ length: 50_000 }, () => finding('values_not_as_signed', { recipient: long })),
    seal: null,
    document,
    recipients: [recipient],
  });
  expect(JSON.stringify(report).length).toBeLessThan(1000 * 400);
  expect(report.document).toMatchObject({
    contentSha256: 'ab',
    auditEntries: 7,
    file: { before: { sha256: 'ef', bytes: 1 } },
  });
});
