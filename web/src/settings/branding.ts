import type { AnswerOf } from '../api/client.ts';
import type { Change } from './use-changes.ts';

export type Branding = AnswerOf<'GET', '/branding'>;
export type ChangeBranding = Change<Branding>;
