export interface Marker {
  ordered: boolean;
  /** May begin a list in the midst of a paragraph, as `1.` may and `12.` may not. */
  isFirst: boolean;
  /** Could as well be somebody's initial. */
  isInitial: boolean;
}

const bullet = /^[•◦▪‣●○■□–—*·∙➢➤✓✔-]$/;
const numbered = /^\(?(?:\d{1,3}|[a-z]|[ivxlc]{2,5}|[IVXLC]{2,5}|[A-Z])[.)]$/;
const outline = /^\d{1,2}(?:\.\d{1,2}){1,3}\.?$/;
const first = /^\(?(?:1|a|A|i|I)[.)]$/;

/** What a word at the start of a line says of the list it may begin an item of. */
export function readMarker(text: string, next: string): Marker | null {
  if (bullet.test(text)) return { ordered: false, isFirst: true, isInitial: false };
  const isOutline = outline.test(text) && /^\p{Lu}/u.test(next);
  if (!numbered.test(text) && !isOutline) return null;
  return { ordered: true, isFirst: first.test(text) || isOutline, isInitial: /^[A-Z]\.$/.test(text) };
}

export function isMarker(text: string): boolean {
  return bullet.test(text) || numbered.test(text) || outline.test(text);
}
