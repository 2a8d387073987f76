/**
 * A character of Arabic text in its presentation form. Arabic letters join their neighbours. Unicode has a form of each
 * letter for each position (isolated, final, initial, medial) and ligatures of lam with alef. No shaping engine is needed.
 */
export interface FormedCharacter {
  /** The characters drawn. */
  shown: string;
  /** The characters of the text. */
  source: string;
}

const lam = '\u0644';
const tatweel = '\u0640';
const zeroWidthJoiner = '\u200d';

export function hasArabic(text: string): boolean {
  return /\p{Script=Arabic}/u.test(text);
}

export function formArabic(text: string): FormedCharacter[] {
  const characters = [...text];
  const formed: FormedCharacter[] = [];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? '';
    const ligature = character === lam ? character + (characters[i + 1] ?? '') : '';
    const source = forms().has(ligature) ? ligature : character;
    const end = i + [...source].length;
    const joinsBefore = joinsNext(neighbour(characters, i, -1)) && joinsPrevious(source);
    const joinsAfter = joinsNext(source) && joinsPrevious(neighbour(characters, end - 1, 1));
    const choices = forms().get(source);
    formed.push({ shown: choices?.[(joinsBefore ? 1 : 0) + (joinsAfter ? 2 : 0)] ?? source, source });
    i = end - 1;
  }
  return formed;
}

/** Returns the next character on one side, ignoring vowel marks, which do not separate letters. */
function neighbour(characters: string[], from: number, step: 1 | -1): string {
  for (let i = from + step; ; i += step) {
    const character = characters[i];
    if (character === undefined) return '';
    if (!/\p{M}/u.test(character)) return character;
  }
}

function joinsNext(character: string): boolean {
  return character === tatweel || character === zeroWidthJoiner || forms().get(character)?.length === 4;
}

function joinsPrevious(character: string): boolean {
  return character === tatweel || character === zeroWidthJoiner || (forms().get(character)?.length ?? 0) >= 2;
}

let formsOfLetters: Map<string, string[]> | undefined;

/**
 * Returns the forms of each letter in Unicode order: isolated, final, initial, medial. A letter that only joins the previous
 * letter has two forms. The map is built from the compatibility decomposition of the forms.
 */
function forms(): Map<string, string[]> {
  if (formsOfLetters !== undefined) return formsOfLetters;
  const found = new Map<string, string[]>();
  for (const [first, last] of [
    [0xfe80, 0xfefc],
    [0xfb50, 0xfbb1],
    [0xfbd3, 0xfbff],
  ] as const) {
    for (let codePoint = first; codePoint <= last; codePoint++) {
      const form = String.fromCodePoint(codePoint);
      const letter = form.normalize('NFKC');
      const isLetter = /^\p{L}$/u.test(letter) || (letter.startsWith(lam) && letter.length === 2 && first === 0xfe80);
      if (isLetter && letter !== form) found.set(letter, [...(found.get(letter) ?? []), form]);
    }
  }
  formsOfLetters = found;
  return found;
}
