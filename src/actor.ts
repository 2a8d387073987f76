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
