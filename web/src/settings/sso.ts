import type { AnswerOf } from '../api/client.ts';

export type Sso = AnswerOf<'GET', '/sso'>;
export type ProviderTest = AnswerOf<'POST', '/sso/test'>;

/** Sends a change and shows the settings as they then are. Returns why it failed, or null. */
export type ChangeSso = (send: () => Promise<Sso>) => Promise<unknown>;
