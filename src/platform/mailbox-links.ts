/**
 * Returns the links of a message, each once. Links of its HTML come first: those are ours, and the text may quote
 * others from the sender.
 */
export function linksOf({ text, html }: { text: string; html: string | null }): string[] {
  const linked = [...(html ?? '').matchAll(/<a\s[^>]*\bhref="(https?:[^"]+)"/gi)].map(([, href = '']) =>
    unescapeHtml(href),
  );
  const written = [...text.matchAll(/https?:\/\/[^\s<>"“”«»]+/gi)].map(([url]) => url.replace(/[.,;:!?)\]}'’]+$/, ''));
  return [...new Set([...linked, ...written])];
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}
