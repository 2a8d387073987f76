import type { FontFile } from './font-files.ts';

/**
 * Scripts that have their own font and are drawn with the shaping engine. In most of them, the form and position of letters
 * depend on their neighbours. The fonts are not used for other scripts.
 */
const fonts = {
  Armenian: 'armenian',
  Bengali: 'bengali',
  Canadian_Aboriginal: 'canadianAboriginal',
  Cherokee: 'cherokee',
  Devanagari: 'devanagari',
  Ethiopic: 'ethiopic',
  Georgian: 'georgian',
  Gujarati: 'gujarati',
  Gurmukhi: 'gurmukhi',
  Kannada: 'kannada',
  Khmer: 'khmer',
  Lao: 'lao',
  Malayalam: 'malayalam',
  Myanmar: 'myanmar',
  Oriya: 'oriya',
  Sinhala: 'sinhala',
  Tamil: 'tamil',
  Telugu: 'telugu',
  Thaana: 'thaana',
  Thai: 'thai',
  Tibetan: 'tibetan',
  Tifinagh: 'tifinagh',
} as const satisfies Record<string, FontFile>;

const scripts = Object.keys(fonts) as Array<keyof typeof fonts>;

/** Full stops shared by the scripts of India. Without a neighbouring script they are drawn as Devanagari. */
const danda = String.raw`\u0964\u0965`;
const joiners = String.raw`\u200c\u200d`;

const letters = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}${danda}]`, 'u');
/** Patterns for a letter and the characters after it that belong to its script or are shared with it. */
const runsOfScripts = scripts.map(
  (script) => `(?<${script}>\\p{Script=${script}}[\\p{Script_Extensions=${script}}${joiners}]*)`,
);
const runs = new RegExp([...runsOfScripts, `[${danda}]`].join('|'), 'gu');

/** Whether a text contains one of these scripts. */
export function hasShapedScript(text: string): boolean {
  return letters.test(text);
}

/** Whether the script of a font has no spaces between words. */
export function hasNoSpaces(font: FontFile): boolean {
  return spaceless.has(font);
}

const spaceless = new Set<FontFile>(['khmer', 'lao', 'myanmar', 'thai', 'tibetan']);

export interface ScriptRun {
  text: string;
  /** Null when the text is in none of these scripts. */
  font: FontFile | null;
}

/** Splits a text where its script, and so its font, changes. */
export function scriptRuns(text: string): ScriptRun[] {
  if (!hasShapedScript(text)) return [{ text, font: null }];
  const found: ScriptRun[] = [];
  let end = 0;
  for (const match of text.matchAll(runs)) {
    const script = scripts.find((name) => match.groups?.[name] !== undefined) ?? 'Devanagari';
    if (match.index > end) found.push({ text: text.slice(end, match.index), font: null });
    found.push({ text: match[0], font: fonts[script] });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ text: text.slice(end), font: null });
  return found;
}
