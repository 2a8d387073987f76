import { oneLine, withoutDirectionControls } from '../platform/mail-text.ts';

/** Invisible characters, which hide text or split words. Joiners stay, because emoji and Persian need them. */
const invisible = /[\u00AD\u180E\u200B\u2060-\u2064\uFEFF]/gu;
/** More marks on one letter than any language has. They would cover the lines above and below. */
const piledMarks = /(\p{M}{4})\p{M}+/gu;
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Prepares a name or title of a stranger for our own sentence: a single line, cut to `lengthMax` visible characters, that
 * can't change the direction or look of the text around it.
 */
export function foreign(text: string, lengthMax = 200): string {
  return isolated(shorten(tamed(oneLine(text)), lengthMax, '…'));
}

/** The same for an SMS, without isolating characters, which old phones show as boxes. */
export function foreignPlain(text: string, lengthMax: number): string {
  return shorten(tamed(oneLine(text)), lengthMax, '...');
}

/** Prepares a stranger's text of several lines. Several empty lines in a row become one. */
export function foreignLines(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => tamed(oneLine(line)));
  return lines
    .filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''))
    .join('\n')
    .trim()
    .split('\n');
}

function tamed(text: string): string {
  return withoutDirectionControls(text).replace(invisible, '').replace(piledMarks, '$1');
}

function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function shorten(text: string, lengthMax: number, ellipsis: string): string {
  if (text.length <= lengthMax) return text;
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  if (characters.length <= lengthMax) return text;
  return (
    characters
      .slice(0, lengthMax - ellipsis.length)
      .join('')
      .trimEnd() + ellipsis
  );
}
