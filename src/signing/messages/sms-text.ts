import { foreignPlain } from './foreign-text.ts';

const segmentsWanted = 2;

/** How much of the account's name and of the title is shown: the first pair with which the message is short enough. */
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
 * A sentence and the link, on a line of its own so that nothing clings to it. Names are shortened until it fits two
 * segments; where none does, such as with a very long link, no further than saves a segment.
 */
export function smsText(
  words: { account: string; title: string; link: string },
  sentence: (account: string, title: string) => string,
): string {
  const candidates = lengths.map(({ account, title }) => {
    const said = sentence(
      foreignPlain(typewritten(words.account), account),
      foreignPlain(typewritten(words.title), title),
    );
    return `${said}\n${words.link}`;
  });
  const segmentsMax = Math.max(segmentsWanted, Math.min(...candidates.map(segmentsOf)));
  return candidates.find((text) => segmentsOf(text) <= segmentsMax) as string;
}

const gsmLetters = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const gsmDoubles = new Set('^{}\\[~]|€');

/** GSM 03.38: 160 letters of its alphabet in one message, 153 in each of several; 70 and 67 as soon as one is foreign to it. */
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

/** A curly quote or a long dash would cost half the length; as typewriters had them they say the same. */
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
