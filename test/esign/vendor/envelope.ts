import { randomUUID } from 'node:crypto';

/** An envelope of the stand-in. Times are in milliseconds. */
export interface AnEnvelope {
  id: string;
  subject: string;
  completedAt: number;
  purgeState?: string;
  /** Recipients in place of the default two signers and one copy. */
  recipients?: object;
}

/** An envelope that was completed `minutes` after 1 January 2024. */
export function anEnvelope(minutes: number, changes: Partial<AnEnvelope> = {}): AnEnvelope {
  const completedAt = Date.UTC(2024, 0, 1) + minutes * 60_000;
  return { id: randomUUID(), subject: `Agreement ${minutes}`, completedAt, ...changes };
}

export function inOrderOfCompletion(envelopes: Iterable<AnEnvelope>): AnEnvelope[] {
  return [...envelopes].sort((a, b) => a.completedAt - b.completedAt || (a.id < b.id ? -1 : 1));
}

/** Formats a time with seven decimals of a second. */
export function vendorTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '0000Z');
}

const minuteMs = 60_000;

/** Returns an envelope as in the vendor's list. */
export function listed(envelope: AnEnvelope, withRecipients: boolean) {
  const { id, subject, completedAt, purgeState = 'unpurged', recipients = twoWhoSigned(completedAt) } = envelope;
  return {
    status: 'completed',
    documentsUri: `/envelopes/${id}/documents`,
    recipientsUri: `/envelopes/${id}/recipients`,
    envelopeUri: `/envelopes/${id}`,
    emailSubject: subject,
    envelopeId: id,
    createdDateTime: vendorTime(completedAt - 90 * minuteMs),
    sentDateTime: vendorTime(completedAt - 80 * minuteMs),
    completedDateTime: vendorTime(completedAt),
    statusChangedDateTime: vendorTime(completedAt),
    purgeState,
    ...(withRecipients && { recipients }),
  };
}

function twoWhoSigned(completedAt: number): object {
  const signer = (routingOrder: number, name: string, minutesBefore: number) => ({
    recipientId: String(routingOrder),
    recipientType: 'signer',
    name,
    email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
    roleName: routingOrder === 1 ? 'Tenant' : 'Landlord',
    routingOrder: String(routingOrder),
    status: 'completed',
    sentDateTime: vendorTime(completedAt - 60 * minuteMs),
    deliveredDateTime: vendorTime(completedAt - 30 * minuteMs),
    signedDateTime: vendorTime(completedAt - minutesBefore * minuteMs),
  });
  return {
    signers: [signer(2, 'Grace Hopper', 0), signer(1, 'Ada Lovelace', 20)],
    carbonCopies: [
      {
        recipientId: '3',
        name: 'Mary Somerville',
        email: 'mary@example.com',
        routingOrder: '3',
        status: 'completed',
        sentDateTime: vendorTime(completedAt),
      },
    ],
    recipientCount: '3',
    currentRoutingOrder: '3',
  };
}
