import type { FastifyRequest } from 'fastify';
import { type Language, preferredLanguage } from '../../platform/language.ts';
import type { Theme } from '../sign-in/pages/console-page.ts';

/** Returns the language chosen in the console's menu, stored in a cookie (`__Host-` with https), or else the browser's. */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  const chosen = readChoice(headers.cookie, 'language', ['en', 'es'] as const);
  return chosen ?? preferredLanguage(headers['accept-language']);
}

/** Returns the chosen theme. Null: the system setting applies. */
export function themeOf({ headers }: Pick<FastifyRequest, 'headers'>): Theme | null {
  return readChoice(headers.cookie, 'theme', ['light', 'dark'] as const);
}

function readChoice<Choice extends string>(
  cookies: string | undefined,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const pairs = cookies?.split(';').map((pair) => pair.trim()) ?? [];
  const chosen = (prefix: string) => choices.find((choice) => pairs.includes(`${prefix}${name}=${choice}`));
  return chosen('__Host-') ?? chosen('') ?? null;
}
