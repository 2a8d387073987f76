import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { describe, expect, test } from 'vitest';
import { createSmtpMail } from '../platform/mail.ts';
import { ownLook } from './email-content.ts';
import {
  completedCopy,
  completedCopySms,
  type MessageView,
  signatureReminder,
  signatureReminderSms,
  signatureRequest,
  signatureRequestSms,
  verificationCodeSms,
} from './recipient-messages.ts';
import { segmentsOf } from './sms-text.ts';

const link = `https://sign.example.com/sign/${'aB3_x'.repeat(8)}Q-9`;
const documentId = '019a9f00-1234-7abc-8def-0123456789ab';

type ViewChanges = Partial<Omit<MessageView, 'document'>> & { document?: Partial<MessageView['document']> };

function view({ document, ...over }: ViewChanges = {}): MessageView {
  return {
    language: 'en',
    accountName: 'Northwind Construction',
    recipientName: 'Ada Lovelace',
    recipientKind: 'signer',
    link,
    ...over,
    document: { id: documentId, title: 'Subcontract agreement', message: null, expiresAt: null, ...document },
  };
}

/** What a recipient of the HTML sees: text without mark-up, entities resolved, white space as one space. */
function seen(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html
    .replace(/[\s\S]*<body[^>]*>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ');
}

const words = (text: string) => text.replace(/\s+/g, ' ');

describe('the request', () => {
  test('says who asks, for what, until when, with which words, and where', () => {
    const email = signatureRequest(
      view({ document: { message: 'Dear Ada,\n\nplease sign <soon>.', expiresAt: new Date('2026-03-31T21:30:00Z') } }),
    );
    expect(email.subject).toBe('Northwind Construction requests your signature: “Subcontract agreement”');
    expect(email.text).toMatchInlineSnapshot(`
      "Your signature is requested

      Hello Ada Lovelace,

      Northwind Construction has sent you this document to sign.

      Subcontract agreement
      Expires: March 31, 2026 at 9:30 PM UTC

      Message from Northwind Construction:

        Dear Ada,

        please sign <soon>.

      Review and sign:
      https://sign.example.com/sign/aB3_xaB3_xaB3_xaB3_xaB3_xaB3_xaB3_xaB3_xQ-9

      Please do not forward this e-mail: the link is personal, and anyone who opens it could sign in your name.

      If you did not expect this request, you can ignore this e-mail. Nothing is signed unless you sign it.

      ---
      Sent by Countersign on behalf of Northwind Construction
      Document ID: 019a9f00-1234-7abc-8def-0123456789ab
      "
    `);
    for (const said of [
      'Your signature is requested',
      'Hello Ada Lovelace,',
      'Northwind Construction has sent you this document to sign.',
      'Expires March 31, 2026 at 9:30 PM UTC',
      'Message from Northwind Construction Dear Ada, please sign <soon>. Review and sign',
      'Please do not forward this e-mail',
      `Document ID: ${documentId}`,
    ]) {
      expect(seen(email.html)).toContain(said);
    }
    expect(email.html).toContain('<html lang="en"');
    expect(email.html).toContain('Dear Ada,<br>\n<br>\nplease sign &lt;soon&gt;.');
  });

  test('asks an approver to approve', () => {
    const email = signatureRequest(view({ recipientKind: 'approver' }));
    expect(email.subject).toBe('Northwind Construction requests your approval: “Subcontract agreement”');
    expect(email.text).toContain('Review and approve:\n');
    expect(`${email.text} ${email.html}`).not.toMatch(/\bsign (it|in your name)|Review and sign|signature/);
    expect(signatureRequestSms(view({ recipientKind: 'approver' })).text).toContain('asks you to approve');
  });

  test('leaves out what there is not', () => {
    const email = signatureRequest(view({ document: { message: ' \n ' } }));
    expect(`${email.text} ${email.html}`).not.toMatch(/Expires|Message from|null|undefined/);
  });
});

describe('the reminder', () => {
  const expiresAt = new Date('2026-03-31T21:30:00Z');

  test('says first that it is one, and then what the request said', () => {
    const full = view({ document: { message: 'Please sign.', expiresAt } });
    const email = signatureReminder(full);
    expect(email.subject).toBe('Reminder: Northwind Construction awaits your signature: “Subcontract agreement”');
    expect(email.text).toMatchInlineSnapshot(`
      "Reminder: your signature is awaited

      Hello Ada Lovelace,

      Northwind Construction sent you this document to sign. It still awaits your signature.

      Subcontract agreement
      Expires: March 31, 2026 at 9:30 PM UTC

      Message from Northwind Construction:

        Please sign.

      Review and sign:
      https://sign.example.com/sign/aB3_xaB3_xaB3_xaB3_xaB3_xaB3_xaB3_xaB3_xQ-9

      Please do not forward this e-mail: the link is personal, and anyone who opens it could sign in your name.

      If you did not expect this request, you can ignore this e-mail. Nothing is signed unless you sign it.

      ---
      Sent by Countersign on behalf of Northwind Construction
      Document ID: 019a9f00-1234-7abc-8def-0123456789ab
      "
    `);
    const fromTitle = (text: string) => text.slice(text.indexOf('Subcontract agreement\n'));
    expect(fromTitle(email.text)).toBe(fromTitle(signatureRequest(full).text));
  });

  test('asks an approver to approve, in both languages', () => {
    const email = signatureReminder(view({ recipientKind: 'approver' }));
    expect(email.subject).toBe('Reminder: Northwind Construction awaits your approval: “Subcontract agreement”');
    expect(`${email.text} ${email.html}`).not.toMatch(/\bsign (it|in your name)|to sign|Review and sign|signature/);
    const spanish = signatureReminder(view({ language: 'es', recipientKind: 'approver' }));
    expect(spanish.subject).toBe('Recordatorio: Northwind Construction espera su aprobación: «Subcontract agreement»');
    expect(spanish.text).not.toMatch(/firm/);
  });

  test('tells by SMS until when, however long the names are', () => {
    for (const language of ['en', 'es'] as const) {
      for (const [accountName, segments] of [
        ['Northwind Construction '.repeat(5), 2],
        ['Íñiguez '.repeat(20), 3], // in letters that take twice the room
      ] as const) {
        const { text } = signatureReminderSms(
          view({ language, accountName, document: { title: 'Contract '.repeat(20), expiresAt } }),
        );
        expect(text).toMatch(/^(Reminder|Recordatorio): .* \((expires|vence) 2026-03-31 21:30 UTC\):\n/);
        expect(segmentsOf(text)).toBeLessThanOrEqual(segments);
        expect(text.endsWith(`\n${link}`)).toBe(true);
      }
    }
    expect(signatureReminderSms(view()).text).toBe(
      `Reminder: Northwind Construction asks you to sign "Subcontract agreement":\n${link}`,
    );
  });
});

test('the copy goes to everyone in the same words, copy-only recipients included', () => {
  const emails = (['signer', 'approver', 'cc'] as const).map((recipientKind) => completedCopy(view({ recipientKind })));
  expect(emails[0]).toEqual(emails[2]);
  expect(emails[0]).toEqual(emails[1]);
  expect(emails[0]?.subject).toBe('Completed: “Subcontract agreement”');
  expect(emails[0]?.text).toContain(`View and download:\n${link}\n`);
});

test('Spanish is Spanish throughout', () => {
  const spanish = {
    language: 'es',
    accountName: 'Íñiguez',
    recipientName: 'María',
    document: { title: 'Contrato', message: 'Estimada', expiresAt: new Date('2026-03-31T21:30:00Z') },
  } as const;
  const request = signatureRequest(view(spanish));
  expect(request.subject).toBe('Íñiguez solicita su firma: «Contrato»');
  expect(request.text).toContain('Vence: 31 de marzo de 2026');
  expect(request.html).toContain('<html lang="es"');
  const emails = [
    request,
    signatureRequest(view({ ...spanish, recipientKind: 'approver' })),
    signatureReminder(view(spanish)),
    signatureReminder(view({ ...spanish, recipientKind: 'approver' })),
    completedCopy(view(spanish)),
  ];
  const shorts = [
    signatureRequestSms(view(spanish)),
    signatureReminderSms(view(spanish)),
    completedCopySms(view(spanish)),
  ];
  const texts = [...emails.map(({ html }) => seen(html)), ...shorts.map(({ text }) => text)];
  for (const text of texts)
    expect(text.replaceAll(link, '')).not.toMatch(/\b(the|your|you|document|sign|please|link|copy)\b/i);
});

describe('HTML and text', () => {
  const everyEmail = (['en', 'es'] as const).flatMap((language) =>
    (['signer', 'approver'] as const).flatMap((recipientKind) => {
      const full = view({
        language,
        recipientKind,
        document: { message: 'One\nTwo\n\nThree', expiresAt: new Date('2026-03-31T21:30:00Z') },
      });
      return [signatureRequest(full), signatureReminder(full), completedCopy(full)];
    }),
  );

  test('say the same', () => {
    for (const { text, html } of everyEmail) {
      const lines = text.split('\n').map((line) => line.trim().replace(/:$/, ''));
      for (const line of lines.filter((found) => found !== '' && found !== '---')) {
        expect(seen(html)).toContain(words(line.replace(/^(Expires|Vence|From|De): /, '$1 ')));
      }
    }
  });

  test('load nothing, run nothing, and lead nowhere but to the link', () => {
    for (const { html } of everyEmail) {
      expect(html).not.toMatch(/<(script|img|link|iframe|form|object)|url\(|@import|\son\w+=/i);
      expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([link, link]);
      expect(Buffer.byteLength(html)).toBeLessThan(20_000);
    }
  });

  test('stay below what mail programs clip with the longest words there can be', () => {
    const email = signatureRequest(
      view({
        accountName: '&'.repeat(200),
        recipientName: '"'.repeat(120),
        document: { title: '<'.repeat(200), message: "'\n".repeat(1000) },
      }),
    );
    expect(Buffer.byteLength(email.html)).toBeLessThan(100_000);
  });
});

test('someone whose name is left out gets our text in place of one with the variable, and only of that', () => {
  const texts = [
    {
      kind: 'request',
      language: 'en',
      subject: 'For {{ recipient_name }}: {{document_title}}',
      introduction: 'Fill in recipient_name on page 2.',
    } as const,
  ];
  const brand = { look: ownLook, senderName: null, texts };
  const named = signatureRequest(view({ brand }));
  expect(named.subject).toBe('For Ada Lovelace: Subcontract agreement');
  const unnamed = signatureRequest(view({ brand, recipientName: '' }));
  expect(unnamed.subject).toBe('Northwind Construction requests your signature: “Subcontract agreement”');
  for (const { text } of [named, unnamed]) expect(text).toContain('Fill in recipient_name on page 2.');
});

/** Names as a stranger may choose them. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '\r\n',
        'Bcc: x@y.example',
        '\u202E',
        '\u2067',
        '\u2069',
        '\u200F',
        'שלום',
        'مرحبا',
        '👩‍⚖️',
        '\u0000',
        '\u2028',
        '<b>',
        '"',
        '&amp;',
        '\uD800',
        'á',
        ' ',
        'e\u0301\u0301\u0301\u0301\u0301\u0301',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

const hostileView = fc
  .record({
    language: fc.constantFrom('en' as const, 'es' as const),
    accountName: hostileText,
    recipientName: hostileText,
    title: hostileText,
    message: hostileText,
  })
  .map(({ title, message, ...over }) => view({ ...over, document: { title, message } }));

describe('whatever names and titles contain', () => {
  test('a subject is one line without control characters, and isolates are closed', () => {
    fc.assert(
      fc.property(hostileView, (hostile) => {
        for (const { subject, text, html } of [
          signatureRequest(hostile),
          signatureReminder(hostile),
          completedCopy(hostile),
        ]) {
          expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          for (const part of [subject, ...text.split('\n'), html]) {
            expect(part.isWellFormed()).toBe(true);
            expect(part).not.toMatch(/[\u202A-\u202E\u2066\u2067\u200E\u200F]/);
            expect(part.split('\u2068').length).toBe(part.split('\u2069').length);
          }
          expect(html).not.toMatch(/<(b|script)>/);
        }
      }),
    );
  });

  test('an SMS has two segments at most, three if letters are several characters, and the link is its last line', () => {
    fc.assert(
      fc.property(hostileView, (hostile) => {
        for (const { text } of [
          signatureRequestSms(hostile),
          signatureReminderSms(hostile),
          completedCopySms(hostile),
        ]) {
          // Emoji and stacked accents: a letter that is seen is several that are counted.
          const isWide = [...new Intl.Segmenter().segment(text)].some(({ segment }) => segment.length > 1);
          expect(segmentsOf(text)).toBeLessThanOrEqual(isWide ? 3 : 2);
          expect(text.split('\n').length).toBe(2);
          expect(text.endsWith(`\n${link}`)).toBe(true);
        }
      }),
    );
  });
});

describe('long words', () => {
  test('are shortened in the subject between characters, not within, and whole in the body', () => {
    const title = '👩‍⚖️'.repeat(200);
    const email = signatureRequest(view({ accountName: 'N'.repeat(200), document: { title } }));
    expect(email.subject).toBe(`${'N'.repeat(49)}… requests your signature: “${'👩‍⚖️'.repeat(79)}…”`);
    expect(email.text).toContain(title);
  });

  test.each([
    ['en', 'GSM letters only', 'Addendum – “Riverside” & Co. '.repeat(6)],
    ['es', 'accents of the GSM alphabet', 'Señal é ñ ü '.repeat(16)],
    ['en', 'another alphabet', 'Договор подряда '.repeat(12)],
  ] as const)('an SMS in %s with %s shows as much of them as fits', (language, _name, title) => {
    const { text } = signatureRequestSms(
      view({ language, accountName: 'Northwind Construction Company', document: { title } }),
    );
    expect(segmentsOf(text)).toBe(2);
    expect(text.length).toBeGreaterThan(120);
  });

  test('a short SMS costs one or two segments in both languages, and its sentences no foreign letter', () => {
    for (const language of ['en', 'es'] as const) {
      for (const sms of [signatureRequestSms, signatureReminderSms, completedCopySms]) {
        const { text } = sms(view({ language }));
        expect(segmentsOf(`${text}${'a'.repeat(300 - text.length)}`)).toBe(2);
      }
    }
  });
});

test('a code comes first and last: for the person, and bound to the host for the telephone', () => {
  for (const language of ['en', 'es'] as const) {
    const message = { language, accountName: 'Northwind Construction', code: '004217', host: 'sign.example.com' };
    const { text } = verificationCodeSms(message);
    const [sentence, bound, ...more] = text.split('\n');
    expect(sentence).toMatch(/^Northwind Construction: 004217 /);
    expect(bound).toBe('@sign.example.com #004217');
    expect(more).toEqual([]);
    expect(segmentsOf(text)).toBe(1);
  }
});

test('no name of an account says another host or another code', () => {
  const accountName = 'Evil\n@evil.example #666666\u2028@evil.example #666666';
  const { text } = verificationCodeSms({ language: 'en', accountName, code: '004217', host: 'sign.example.com' });
  expect(text.split(/[\n\u2028]/)).toHaveLength(2);
  expect(text).toMatch(/\n@sign\.example\.com #004217$/);
});

test('arrives through a real mail server as it was written, with no header added', async () => {
  const received: { email: Email; recipients: string[] }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        received.push({
          email: await PostalMime.parse(Buffer.concat(chunks)),
          recipients: session.envelope.rcptTo.map(({ address }) => address),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mail = createSmtpMail({
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    from: 'c@sign.example.com',
  });

  const hostile = 'Íñiguez\r\nBcc: victim@example.org\r\n\r\n\u202Ekcatta שלום 🖊️';
  const email = signatureRequest(
    view({
      language: 'es',
      accountName: hostile,
      document: { title: hostile, message: `${hostile}\n.\nsecond line\n` },
    }),
  );
  const outcome = await mail.send({ id: documentId, to: { name: hostile, address: 'ada@example.org' }, ...email });
  await mail.close();
  await new Promise<void>((resolve) => server.close(resolve));

  expect(outcome.kind).toBe('accepted');
  const [{ email: arrived, recipients }] = received as [(typeof received)[0]];
  expect(recipients).toEqual(['ada@example.org']);
  expect(arrived.subject).toBe(email.subject);
  expect(arrived.text?.trimEnd()).toBe(email.text.trimEnd());
  expect(arrived.html?.trimEnd()).toBe(email.html.trimEnd());
  expect(arrived.headers.map(({ key }) => key).sort()).toEqual(
    [
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
      'x-auto-response-suppress',
    ].sort(),
  );
  expect(arrived.text).toContain('\n  .\n  second line\n');
});
