/**
 * Who did something, as audit trails name them: the owner of an API key, a member in the console, a recipient, the operator on
 * the command line, or the service itself.
 */
export type Actor = `${'api_key' | 'person' | 'recipient'}:${string}` | 'operator' | 'service';

export function apiKeyActor(keyId: string): Actor {
  return `api_key:${keyId}`;
}

export function personActor(personId: string): Actor {
  return `person:${personId}`;
}

export function recipientActor(recipientId: string): Actor {
  return `recipient:${recipientId}`;
}

/** Splits the name of an actor. The trail of a stranger's file may name a kind that does not exist. `id` is null without one. */
export function readActor(actor: string): { kind: string; id: string | null } {
  const [kind = '', id = null] = actor.split(':');
  return { kind, id };
}

/** An entry of an audit trail. */
interface Entry {
  seq: number;
  action: string;
  detail: unknown;
}

/**
 * Returns a function that names the person whom a recipient was when an entry was written: a recipient who was reassigned is
 * several people, one after the other. `entries`: the trail, or at least its reassignments. `current`: today's names by the
 * recipient's id. The function returns null when the name is not known or was erased.
 */
export function recipientNames(
  entries: readonly Entry[],
  current: ReadonlyMap<string, string>,
): (recipientId: string, seq: number) => string | null {
  const reassignments = entries
    .filter(({ action }) => action === 'reassigned')
    .map(({ seq, detail }) => ({ seq, ...readDetail(detail) }))
    .sort((a, b) => a.seq - b.seq);
  return (recipientId, seq) => {
    // A recipient who names someone else is the previous person in that entry.
    const next = reassignments.find((one) => one.recipientId === recipientId && one.seq >= seq);
    return next === undefined ? (current.get(recipientId) ?? null) : next.from;
  };
}

function readDetail(detail: unknown): { recipientId: unknown; from: string | null } {
  const { recipient_id: recipientId, from } = (detail ?? {}) as Record<string, unknown>;
  return { recipientId, from: typeof from === 'string' ? from : null };
}
