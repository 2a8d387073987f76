/**
 * Ligatures (`ﬁ`) and contextual forms of letters, which are replaced by the plain letters. Other compatibility characters
 * stay, because they may have a meaning.
 */
const shapes = /[\ufb00-\ufb4f\ufb50-\ufdfb\ufe70-\ufefc]/g;
/** Bullets, boxes and ticks of the fonts Symbol and Wingdings, which are in the private use area. */
const symbols = /[\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc-\uf0fe]/g;
const boxes: Record<string, string> = { '\uf0a8': '□', '\uf0fc': '✓', '\uf0fd': '☒', '\uf0fe': '☑' };
/** Invisible characters, direction marks and tags for machines. Authors did not write them. */
const unseen = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\uffff\u{e0000}-\u{e0fff}]/gu;

export function cleanText(text: string): string {
  return text
    .replace(shapes, (shape) => shape.normalize('NFKC'))
    .replace(symbols, (symbol) => boxes[symbol] ?? '•')
    .replace(unseen, '')
    .normalize('NFC');
}
