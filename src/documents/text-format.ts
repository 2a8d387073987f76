// The scripts of the signing page and the console import this file, so it imports nothing that needs Node.js.

/**
 * What a text must be: `email`, `phone`, `digits`, or a pattern such as `AA-9999`. In a pattern, `9` stands for a digit, `A` for a letter
 * and `*` for a letter or a digit. Other characters stand for themselves, and so does each one after a `\`.
 */
export type TextFormat = string;

export const namedFormats = ['email', 'phone', 'digits'] as const;

export type NamedFormat = (typeof namedFormats)[number];

/** The maximum length of a pattern, in characters. */
export const patternLengthMax = 50;

/** A character of a pattern. */
interface Place {
  /** The characters that can be entered here. Null: the character stands for itself. */
  accepts: RegExp | null;
  character: string;
}

const classes: Record<string, RegExp> = { '9': /\d/, A: /\p{L}/u, '*': /[\p{L}\d]/u };

/** Something like an e-mail address. A phone number of 5 to 15 digits, with what people write between them. */
const named: Record<NamedFormat, RegExp> = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  phone: /^(?=(?:\D*\d){5,15}\D*$)\+?[\d ()./-]+$/,
  digits: /^\d+$/,
};

export function isNamedFormat(format: TextFormat): format is NamedFormat {
  return Object.hasOwn(named, format);
}

/** Whether a text is a format: one with a name, or a pattern with something to enter. */
export function isTextFormat(text: string): boolean {
  if (isNamedFormat(text)) return true;
  const { length } = [...text.normalize('NFC')];
  const isPattern = text.isWellFormed() && !/\p{Cc}/u.test(text) && length <= patternLengthMax;
  // A `\` at the end has no character to stand for.
  return isPattern && !/^(?:[^\\]|\\.)*\\$/u.test(text) && placesOf(text).some(({ accepts }) => accepts !== null);
}

/**
 * Returns an entered text as it is stored, or null if it doesn't have the format. Characters of a pattern that stand for themselves can
 * be left out, and others be typed between: `ab 1234` becomes `ab-1234` with `AA-9999`.
 */
export function readFormatted(format: TextFormat, entered: string): string | null {
  if (isNamedFormat(format)) return readNamed(format, entered);
  const text = entered.normalize('NFC').trim();
  const places = placesOf(format);
  const bare = withoutSeparators(text, places);
  return (
    fillIn(places, text, () => true) ??
    fillIn(places, bare, ({ character }) => /[\p{L}\d*]/u.test(character)) ??
    fillIn(places, bare, ({ accepts }) => accepts !== null)
  );
}

/** Contacts, chats and web pages add invisible marks, and give numbers with other hyphens and wide digits. */
function readNamed(format: NamedFormat, entered: string): string | null {
  const visible = entered.replace(/(?![\u200c\u200d])\p{Cf}/gu, '');
  const text =
    format === 'email' ? visible.normalize('NFC') : visible.normalize('NFKC').replace(/[\p{Pd}\u2212]/gu, '-');
  const value = text.trim().replace(/\s+/g, format === 'digits' ? '' : ' ');
  return named[format].test(value) ? value : null;
}

/** Returns a text that has the pattern, to show what to enter: `AB-1234`. */
export function exampleOf(pattern: TextFormat): string {
  let [digits, letters, either] = [0, 0, 0];
  const digit = () => String(++digits % 10);
  const letter = () => String.fromCharCode(65 + (letters++ % 26));
  return placesOf(pattern)
    .map(({ accepts, character }) => {
      if (accepts === null) return character;
      return character === '9' || (character === '*' && either++ % 2 === 1) ? digit() : letter();
    })
    .join('');
}

function placesOf(pattern: TextFormat): Place[] {
  return [...pattern.normalize('NFC').matchAll(/\\(.)|(.)/gu)].map(([, literal, character = '']) => {
    if (literal !== undefined) return { accepts: null, character: literal };
    return { accepts: classes[character] ?? null, character };
  });
}

/** Keeps the pattern's own separators, because a point at another place is another amount. White space can be anywhere. */
function withoutSeparators(text: string, places: readonly Place[]): string {
  const literals = places.flatMap(({ accepts, character }) => (accepts === null ? character : []));
  // Languages swap the point and the comma.
  const isOwn = (typed: string) => literals.some((own) => typed === own || /^[.,]{2}$/.test(typed + own));
  return [...text].filter((typed) => !isSeparator(typed) || (typed.trim() !== '' && isOwn(typed))).join('');
}

/** Marks belong to a letter. */
function isSeparator(character: string | undefined): boolean {
  return character !== undefined && /[^\p{L}\p{M}\d]/u.test(character);
}

/**
 * Writes the text into the places that were `entered`. The others have their own characters, where one or another separator can be
 * typed too. Null: the text doesn't fit.
 */
function fillIn(places: readonly Place[], text: string, entered: (place: Place) => boolean): string | null {
  const rest = [...text];
  let filled = '';
  for (const place of places) {
    const { accepts, character } = place;
    if (!entered(place)) {
      filled += character;
      if (isSeparator(character) && isSeparator(rest[0])) rest.shift();
      continue;
    }
    const typed = rest.shift() ?? '';
    const fits = accepts === null ? typed.toLowerCase() === character.toLowerCase() : accepts.test(typed);
    if (!fits) return null;
    filled += accepts === null ? character : typed;
  }
  return rest.length === 0 ? filled : null;
}
