/**
 * Arabic letters join their neighbours. Without a shaping engine this is done with the presentation forms that Unicode
 * keeps for the purpose: each letter isolated, at the end, at the start or in the middle, and lam with alef as one.
 */
export interface FormedCharacter {
  /** What is drawn. */
  shown: string;
  /** What it stands for. */
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

/** The next character on one side that is not a vowel mark: marks sit on a letter and do not part it from the next. */
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
 * Letter to its forms in Unicode's own order: isolated, final, initial, medial. A letter that joins only the one before
 * it has two. Read back from the compatibility decomposition of the forms themselves.
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
