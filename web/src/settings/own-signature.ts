import type { AnswerOf } from '../api/client.ts';

/** What the user has saved to sign with. */
export type OwnSignature = AnswerOf<'GET', '/own-signature'>;
export type MarkKind = 'signature' | 'initials';
