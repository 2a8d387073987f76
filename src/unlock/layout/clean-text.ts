/**
 * What a font shows as one sign and is several letters (`ﬁ`), and letters in the shape they take within a word: as they
 * are written. Other signs that look alike stay, for they may mean something.
 */
const shapes = /[\ufb00-\ufb4f\ufb50-\ufdfb\ufe70-\ufefc]/g;
/** Bullets of the fonts Symbol and Wingdings, which have no code of their own. */
const bullets = /[\uf0b7\uf0a7\uf0a8\uf076\uf0d8\uf0fc]/g;
/** Turns the order of what follows, is not seen, or marks text for machines: nothing that an author wrote. */
const unseen = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\uffff\u{e0000}-\u{e0fff}]/gu;

export function cleanText(text: string): string {
  return text
    .replace(shapes, (shape) => shape.normalize('NFKC'))
    .replace(bullets, '•')
    .replace(unseen, '')
    .normalize('NFC');
}
