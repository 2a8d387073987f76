import { foreignPlain } from './foreign-text.ts';

const segmentsWanted = 2;

/** Lengths of the account's name and of the title. The first pair with which the message is short enough is used. */
const lengths = [
  { account: 60, title: 200 },
  { account: 40, title: 80 },
  { account: 40, title: 50 },
  { account: 30, title: 40 },
  { account: 24, title: 30 },
  { account: 20, title: 20 },
  { account: 16, title: 16 },
  { account: 14, title: 12 },
  { account: 10, title: 10 },
];

/**
 * Returns a sentence and, on a line of its own, the link if there is one. Names are shortened until the text fits two segments. If that
 * can't be reached, because the link is very long, they are shortened only as far as that saves a segment.
 */
export function smsText(
  words: { account: string; title: string; link: string | null },
  sentence: (account: string, title: string) => string,
): string {
  const candidates = lengths.map(({ account, title }) => {
    const text = sentence(
      foreignPlain(typewritten(words.account), account),
      foreignPlain(typewritten(words.title), title),
    );
    return words.link === null ? text : `${text}\n${words.link}`;
  });
  const segmentsMax = Math.max(segmentsWanted, Math.min(...candidates.map(segmentsOf)));
  return candidates.find((text) => segmentsOf(text) <= segmentsMax) as string;
}

const gsmLetters = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const gsmDoubles = new Set('^{}\\[~]|€');

/**
 * Returns the number of SMS segments (GSM 03.38). One message holds 160 letters of the GSM alphabet, several hold 153
 * each. With any other letter the limits are 70 and 67.
 */
export function segmentsOf(text: string): number {
  let units = 0;
  for (const letter of text) {
    if (!gsmLetters.has(letter) && !gsmDoubles.has(letter)) return inSegments(text.length, 70, 67);
    units += gsmDoubles.has(letter) ? 2 : 1;
  }
  return inSegments(units, 160, 153);
}

function inSegments(units: number, alone: number, joined: number): number {
  return units <= alone ? 1 : Math.ceil(units / joined);
}

/** Replacements for curly quotes and long dashes, one of which would halve the length of a message. */
const typewriter: [RegExp, string][] = [
  [/[“”„«»]/g, '"'],
  [/[‘’‚]/g, "'"],
  [/[–—‑]/g, '-'],
  [/…/g, '...'],
  [/[\u00A0\u2009\u202F]/g, ' '],
];

function typewritten(text: string): string {
  return typewriter.reduce((result, [pattern, plain]) => result.replace(pattern, plain), text);
}
