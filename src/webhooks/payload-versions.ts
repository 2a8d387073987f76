/**
 * Versions of the body that an endpoint gets. Within a version fields are only added. A change that could break a receiver is a new
 * version: a number here, a writer below, a value in the constraints of both tables, and a line in `docs/guides/webhooks.md`.
 */
export const payloadVersions = [1, 2] as const;
export type PayloadVersion = (typeof payloadVersions)[number];

/** Writes the body of a version from the stored one, which is version 1. The same event always gives the same bytes. */
const writers: Record<PayloadVersion, (stored: string) => string> = {
  1: (stored) => stored,
  2: withoutContent,
};

export function payloadOf(stored: string, version: PayloadVersion): string {
  return writers[version](stored);
}

interface StoredEvent {
  id: string;
  event: string;
  created_at: string;
  data: { document: { id: string } };
}

/** Names the event and its document, and nothing of the document: receivers fetch what they may see, as it is then. */
function withoutContent(stored: string): string {
  const { id, event, created_at, data }: StoredEvent = JSON.parse(stored);
  return JSON.stringify({ id, event, created_at, payload_version: 2, data: { document: { id: data.document.id } } });
}
