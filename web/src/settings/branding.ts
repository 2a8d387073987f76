import type { AnswerOf } from '../api/client.ts';

export type Branding = AnswerOf<'GET', '/branding'>;

/** Makes a change based on the version that is shown. Returns the failure, or null. */
export type ChangeBranding = (send: (version: number) => Promise<Branding>) => Promise<unknown>;
