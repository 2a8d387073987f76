import type { SignatureRequest } from '../signing-key/signing-key.ts';

/** Messages of a process during a job: it accepts the job, may request signatures, then answers. */
export type ProcessMessage = { kind: 'accepted' } | SignatureMessage | ({ kind: 'answer' } & JobAnswer);

export interface SignatureMessage {
  kind: 'sign';
  id: number;
  request: SignatureRequest;
}

/** The reply of the service to a `SignatureMessage`. */
export type SignatureReply = { kind: 'signature'; id: number } & (
  | { ok: true; signature: Uint8Array }
  | { ok: false; message: string }
);

export type JobAnswer = { ok: true; result: unknown } | { ok: false; name: string; message: string };
