import type { AnswerOf } from '../api/client.ts';
import type { Change } from './use-changes.ts';

export type Sso = AnswerOf<'GET', '/sso'>;
export type ProviderTest = AnswerOf<'POST', '/sso/test'>;

export type ChangeSso = Change<Sso>;
