export interface Marker {
  ordered: boolean;
  /** Whether it can begin a list within a paragraph. `1.` can, `12.` can't. */
  isFirst: boolean;
  /** Whether it can also be an initial. */
  isInitial: boolean;
}

const bullet = /^[•◦▪‣●○■□☐☑☒–—*·∙➢➤✓✔-]$/;
const numbered = /^\(?(?:\d{1,3}|[a-z]|[ivxlc]{2,5}|[IVXLC]{2,5}|[A-Z])[.)]$/;
const outline = /^\d{1,2}(?:\.\d{1,2}){1,3}\.?$/;
const first = /^\(?(?:1|a|A|i|I)[.)]$/;

/** Reads the list marker from the first word of a line. Null when it is not a marker. */
export function readMarker(text: string, next: string): Marker | null {
  if (bullet.test(text)) return { ordered: false, isFirst: true, isInitial: false };
  const isOutline = outline.test(text) && /^\p{Lu}/u.test(next);
  if (!numbered.test(text) && !isOutline) return null;
  return { ordered: true, isFirst: first.test(text) || isOutline, isInitial: /^[A-Z]\.$/.test(text) };
}

export function isMarker(text: string): boolean {
  return bullet.test(text) || numbered.test(text) || outline.test(text);
}
