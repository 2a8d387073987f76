import { describe, expect, test } from 'vitest';
import { recipientNotice, recipientNoticeSms } from './recipient-notices.ts';
import { segmentsOf } from './sms-text.ts';

const kinds = ['voided', 'declined', 'expired', 'reassigned'] as const;
const cases = kinds.flatMap((kind) => (['en', 'es'] as const).map((language) => ({ kind, language })));
const hostile = '<img src=x onerror=alert(1)>\r\n\u202Egnp.exe\u200B';
const view = {
  accountName: 'Acme Builders',
  recipientName: 'Ada Lovelace',
  document: { id: '0199a7b2-0000-7000-8000-000000000000', title: 'Lease of the attic' },
  reason: null,
  canReply: false,
};

describe.each(cases)('$kind in $language', ({ kind, language }) => {
  test('says whom to ask, and has no link', () => {
    const asks = recipientNotice({ ...view, kind, language });
    const replies = recipientNotice({ ...view, kind, language, canReply: true });
    expect(asks.text).toMatch(/(contact|contacte con) Acme Builders\./);
    expect(replies.text).toMatch(/reply to this e-mail|responda a este correo/);
    for (const { text, html } of [asks, replies]) expect(text + html).not.toMatch(/https?:|<a /);
  });

  test('is harmless with the texts of strangers', () => {
    const { subject, text, html } = recipientNotice({
      kind,
      language,
      accountName: hostile,
      recipientName: hostile,
      document: { ...view.document, title: hostile },
      reason: hostile,
      canReply: false,
    });
    expect(html).not.toMatch(/<img/);
    expect(subject + text + html).not.toMatch(/[\u202E\u200B\r]/u);
    expect(subject).not.toContain('\n');
  });

  test('fits two text messages with the longest names, in the alphabet that takes the least room', () => {
    const long = {
      accountName: 'Acme Builders '.repeat(14),
      document: { ...view.document, title: 'Lease '.repeat(33) },
    };
    const { text } = recipientNoticeSms({ ...long, kind, language });
    expect(segmentsOf(text)).toBeLessThanOrEqual(2);
    expect(text).not.toContain('\n');
    // With a letter outside of the GSM alphabet, one message would have room for 70.
    const short = recipientNoticeSms({
      ...view,
      document: { ...view.document, title: 'Lease of the attics' },
      kind,
      language,
    });
    expect(short.text.length).toBeGreaterThan(70);
    expect(segmentsOf(short.text)).toBe(1);
  });
});
