import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Unicode code points (NIST SP 800-63B asks for at least 8, and no rules about their kinds). */
export const passwordLengthMin = 8;
export const passwordLengthMax = 200;

/**
 * Why a password is refused. `length`: too short, too long or only white space. `common`: one of the passwords that
 * attackers try first, or a pattern such as `abcdefgh`. `personal`: made of a name that attackers try for this person.
 */
export type PasswordFault = 'length' | 'common' | 'personal';

export interface PasswordOwner {
  email: string;
  companyNames: readonly string[];
}

/** Null for a password that may be set. Existing passwords are not judged: their owners still sign in. */
export async function findPasswordFault(password: string, owner: PasswordOwner): Promise<PasswordFault | null> {
  if (!hasPasswordLength(password)) return 'length';
  const words = wordsOf(owner);
  const folded = fold(password);
  const letters = squash(folded);
  const rest = without(words, letters);
  const hasNames = rest !== letters;
  if (hasNames && rest.length < passwordLengthMin) return 'personal';
  const guesser = await loadGuesser();
  const rated = hasNames ? [folded, rest] : [folded];
  const isGuessable = rated.some((text) => guesser.check(text, words).guesses < guessesMin);
  return isGuessable ? 'common' : null;
}

export function hasPasswordLength(password: string): boolean {
  const { length } = [...password];
  return length >= passwordLengthMin && length <= passwordLengthMax && password.trim() !== '';
}

/**
 * Fewer guesses than this are "common". zxcvbn ranks the 49,000 most common passwords below it, in any case, and with
 * the usual changes: `P@ssw0rd1`, `12341234`, `drowssap`.
 */
const guessesMin = 1_000_000;

/** Of a longer password only the start is rated: rating takes time that grows faster than the length. */
const ratedLengthMax = 64;

let loading: Promise<ZxcvbnFactory> | undefined;

/** Only where someone sets a password: the lists take some 10 MB. */
function loadGuesser(): Promise<ZxcvbnFactory> {
  loading ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }]) =>
      new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: ratedLengthMax }),
  );
  return loading;
}

const productName = 'countersign';
/** Shorter parts of a name are in too many words. */
const partLengthMin = 4;

/** The names that a password must not be made of, the longest first: whole and in parts. */
function wordsOf({ email, companyNames }: PasswordOwner): string[] {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).replace(/\.[^.]*$/, '');
  const names = [productName, email.slice(0, at), domain, ...companyNames].map(fold);
  const parts = names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)).filter((part) => part.length >= partLengthMin);
  const whole = names.map(squash).filter((name) => name.length >= partLengthMin - 1);
  return [...new Set([squash(fold(email)), ...whole, ...parts])].sort((a, b) => b.length - a.length);
}

function without(words: readonly string[], text: string): string {
  return words.reduce((rest, word) => rest.replaceAll(word, ''), text);
}

/** Case and accents make no difference to those who guess. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

function squash(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
