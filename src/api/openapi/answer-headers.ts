import type { JsonSchema, Reference } from './schema-book.ts';

interface AnswerHeader {
  name: string;
  schema: JsonSchema;
  meaning: string;
  /** Whether it is sent when no account is known. */
  always: boolean;
}

const count = { type: 'integer', minimum: 0 };

/** The headers of every response. */
export const answerHeaders: readonly AnswerHeader[] = [
  {
    name: 'X-Request-Id',
    schema: { type: 'string' },
    meaning: 'Unique id of the request. Equals error.request_id on failures.',
    always: true,
  },
  {
    name: 'X-RateLimit-Limit-Burst',
    schema: count,
    meaning: "The plan's ceiling for the current one-minute window.",
    always: false,
  },
  {
    name: 'X-RateLimit-Remaining-Burst',
    schema: count,
    meaning: 'Requests left in the current one-minute window.',
    always: false,
  },
  {
    name: 'X-RateLimit-Limit-Daily',
    schema: count,
    meaning: "The plan's ceiling for the current UTC day.",
    always: false,
  },
  {
    name: 'X-RateLimit-Remaining-Daily',
    schema: count,
    meaning: 'Requests left today. Resets at 00:00 UTC.',
    always: false,
  },
  {
    name: 'X-RateLimit-Reset',
    schema: { ...count, multipleOf: 60 },
    meaning: 'Unix seconds at which the burst window rolls over: the next full UTC minute.',
    always: false,
  },
];

export const retryAfter = {
  name: 'Retry-After',
  schema: { type: 'integer', minimum: 1 },
  meaning: 'Seconds to wait before the next attempt.',
};

const challenge = {
  name: 'WWW-Authenticate',
  schema: { type: 'string' },
  meaning: 'The scheme of the key. With error="invalid_token" when a key was sent.',
};

const idempotentReplayed = {
  name: 'Idempotent-Replayed',
  schema: { type: 'string', const: 'true' },
  meaning: 'Sent when the answer is that of an earlier request with the same Idempotency-Key.',
};

/** The headers as required on success, and as optional on errors, where the account may be unknown. */
export function answerHeaderComponents(): Record<string, object> {
  const components: Record<string, object> = {
    [retryAfter.name]: { description: retryAfter.meaning, required: true, schema: retryAfter.schema },
    [challenge.name]: { description: challenge.meaning, required: true, schema: challenge.schema },
    [idempotentReplayed.name]: {
      description: idempotentReplayed.meaning,
      required: false,
      schema: idempotentReplayed.schema,
    },
  };
  for (const { name, schema, meaning, always } of answerHeaders) {
    components[name] = { description: meaning, required: true, schema };
    if (!always) components[onFailure(name)] = { description: `${meaning} ${onceKnown}`, required: false, schema };
  }
  return components;
}

/** `isReplayable`: whether the endpoint takes an `Idempotency-Key`. */
export function headersOfSuccess(isReplayable: boolean): Record<string, Reference> {
  const names = answerHeaders.map(({ name }) => name);
  if (isReplayable) names.push(idempotentReplayed.name);
  return Object.fromEntries(names.map((name) => [name, reference(name)]));
}

export function headersOfFailure(status: number): Record<string, Reference> {
  const known = answerHeaders.map(({ name, always }): [string, Reference] => [
    name,
    reference(always ? name : onFailure(name)),
  ]);
  if (status === 401) known.push([challenge.name, reference(challenge.name)]);
  if (status === 429 || status >= 500) known.push([retryAfter.name, reference(retryAfter.name)]);
  return Object.fromEntries(known);
}

const onceKnown = 'On a failure, sent once the account is known.';

function onFailure(name: string): string {
  return `${name}.on-failure`;
}

function reference(component: string): Reference {
  return { $ref: `#/components/headers/${component}` };
}
