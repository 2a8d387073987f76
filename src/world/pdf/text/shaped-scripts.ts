import type { FontFile } from './font-files.ts';

/**
 * Scripts with a font of their own, which is not asked for any other. In most of them letters change their form and
 * place with their neighbours, so what is drawn comes from a shaping engine.
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

/** The stops of the scripts of India belong to none of them; by themselves they are Devanagari's. */
const danda = String.raw`\u0964\u0965`;
const joiners = String.raw`\u200c\u200d`;

const letters = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}${danda}]`, 'u');
/** A letter, and what follows in its script or is shared with it. */
const runsOfScripts = scripts.map(
  (script) => `(?<${script}>\\p{Script=${script}}[\\p{Script_Extensions=${script}}${joiners}]*)`,
);
const runs = new RegExp([...runsOfScripts, `[${danda}]`].join('|'), 'gu');

/** Whether any of it is in such a script. */
export function hasShapedScript(text: string): boolean {
  return letters.test(text);
}

/** Whether words follow each other without a space. */
export function hasNoSpaces(font: FontFile): boolean {
  return spaceless.has(font);
}

const spaceless = new Set<FontFile>(['khmer', 'lao', 'myanmar', 'thai', 'tibetan']);

export interface ScriptRun {
  text: string;
  /** Null: in none of these scripts. */
  font: FontFile | null;
}

/** Takes a text apart where its script, and with that its font, changes. */
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
