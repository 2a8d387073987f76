import { createHash } from 'node:crypto';
import { recipientActor } from '../../actor.ts';
import type { SealInput, SealRecipient } from '../seal-input.ts';
import { drawnSignature } from './sample-png.ts';

/** Makes the input for a completed contract with two signers, an approver and a recipient of a copy. */
export function sampleInput(changes: Partial<SealInput> = {}): SealInput {
  const recipients = changes.recipients ?? [
    sampleRecipient(1, { name: 'Ana María Núñez', role: 'Owner' }),
    sampleRecipient(2, {
      name: 'Jonathan Whitfield',
      role: 'General contractor',
      authLevel: 'l1_email_sms_otp',
      verification: { channel: 'sms', numberEnding: '99', at: '2026-03-14T10:21:05.310Z', wrongCodes: 1 },
      signature: { kind: 'drawn', png: drawnSignature().toString('base64') },
      method: 'drawn',
      pictureSha256: createHash('sha256').update(drawnSignature()).digest('hex'),
    }),
    sampleRecipient(3, {
      name: 'Priya Raghunathan',
      role: 'approver',
      kind: 'approver',
      signature: null,
      method: null,
    }),
    sampleRecipient(4, {
      name: 'Whitfield Office',
      role: 'cc',
      kind: 'cc',
      signature: null,
      method: null,
      acceptedAt: null,
      signedAt: null,
      viewedAt: null,
      ip: null,
      userAgent: null,
      consent: null,
    }),
  ];
  const content = JSON.stringify({ title: 'Kitchen remodel, 12 Alder Street' });
  return {
    language: 'en',
    accountName: 'Northwind Builders LLC',
    logo: null,
    senderEmail: 'maria@northwind.example',
    verifyAddress: 'https://sign.northwind.example/verify',
    document: {
      id: '0199f0a2-7c1e-7b43-9d0e-5a1c2b3d4e5f',
      title: 'Kitchen remodel, 12 Alder Street',
      type: 'contract',
      message: sampleMessage,
      isTest: false,
      printsId: false,
      createdAt: '2026-03-12T15:01:11.120Z',
      sentAt: '2026-03-12T15:04:02.981Z',
      completedAt: '2026-03-14T10:22:31.045Z',
      contentSha256: createHash('sha256').update(content).digest('hex'),
      file: null,
    },
    disclosures: [
      {
        version: '2026-11',
        heading: 'Signing electronically',
        points: samplePoints[changes.language ?? 'en'],
        statement: null,
        sha256: null,
      },
    ],
    fields: [],
    recipients,
    audit: sampleAudit(recipients),
    attachments: [
      {
        name: 'content.json',
        mediaType: 'application/json',
        description: 'What was signed. Its SHA-256 is printed on the certificate.',
        bytes: Buffer.from(content).toString('base64'),
      },
      {
        name: 'audit.json',
        mediaType: 'application/json',
        description: 'The audit trail, each entry chained to the one before.',
        bytes: Buffer.from('[]').toString('base64'),
      },
    ],
    signingTime: '2026-03-14T10:22:33.000Z',
    ...changes,
  };
}

export function sampleRecipient(number: number, changes: Partial<SealRecipient> = {}): SealRecipient {
  const name = changes.name ?? `Signer Number ${number}`;
  return {
    id: `0199f0a2-7c1e-7b43-9d0e-${String(number).padStart(12, '0')}`,
    name,
    role: null,
    kind: 'signer',
    email: `recipient${number}@example.com`,
    phone: number % 2 ? null : '+1 555 010 0199',
    channel: 'email',
    authLevel: 'l0_email_link',
    sentAt: '2026-03-12T15:04:02.981Z',
    acceptedAt: '2026-03-12T15:04:04.120Z',
    viewedAt: '2026-03-13T08:15:40.512Z',
    signedAt: '2026-03-14T10:22:31.045Z',
    ip: number % 2 ? '203.0.113.42' : '2001:db8:85a3::8a2e:370:7334',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1',
    verification: null,
    consent: { disclosure: '2026-11', at: '2026-03-14T10:22:31.045Z', how: 'signing' },
    signature: { kind: 'typed', text: name },
    initials: null,
    method: 'typed',
    pictureSha256: null,
    ...changes,
  };
}

function sampleAudit(recipients: SealRecipient[]): SealInput['audit'] {
  const steps: Array<[actor: string, action: string, detail: unknown]> = [
    ['api_key:0199f0a2-0000-7000-8000-000000000001', 'created', { recipients: recipients.length }],
    ['api_key:0199f0a2-0000-7000-8000-000000000001', 'sent', { mode: 'live' }],
    ...recipients.flatMap((recipient): typeof steps => [
      ['service', 'requested', { recipient_id: recipient.id, channel: recipient.channel }],
      [recipientActor(recipient.id), 'viewed', { ip: recipient.ip, user_agent: recipient.userAgent }],
      [recipientActor(recipient.id), 'signed', { method: recipient.signature?.kind ?? 'approval', ip: recipient.ip }],
    ]),
    ['service', 'completed', {}],
  ];
  return steps.map(([actor, action, detail], i) => ({
    seq: i + 1,
    at: new Date(Date.UTC(2026, 2, 12, 15, 1, 11, 120) + i * 7_654_321).toISOString(),
    actor,
    action,
    detail,
    hash: createHash('sha256').update(`${i}`).digest('hex'),
  }));
}

const samplePoints = {
  en: ['You sign with your name instead of with a pen.', 'You need not sign electronically.'],
  es: ['Usted firma con su nombre en lugar de con bolígrafo.', 'No está obligado a firmar electrónicamente.'],
};

const sampleMessage = `Dear Ana,

This is the agreement we discussed for the kitchen at 12 Alder Street. Work starts on April 6 and takes about five weeks. The price of $48,200 includes cabinets, counters, plumbing and electrical work, and the removal of what is there now.

Payment is due in three parts: 30 % on signing, 40 % when the cabinets are in, and the rest on completion.

Kind regards,
Jonathan`;

/** A text far longer than documents allow. Its layout takes minutes and gigabytes. */
export function endlessInput(): SealInput {
  const sample = sampleInput();
  return { ...sample, document: { ...sample.document, message: 'drain the pool '.repeat(2_000_000) } };
}
