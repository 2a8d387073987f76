const pathLengthMax = 200;
/** Ids and the names of routes are such segments; keys, tokens and links are longer, or hold something else. */
const harmless = /^(?:\/[A-Za-z0-9._~-]{0,40})*$/;
const harmlessSegment = /^[A-Za-z0-9._~-]{0,40}$/;

/**
 * Of a URL what may be kept and shown: the path below `/api/v1`, never the query, and `…` for each segment that is none of
 * ours, since a client may put its key anywhere. At most 200 characters.
 */
export function shownPath(url: string): string {
  const end = url.indexOf('?');
  const path = (end === -1 ? url : url.slice(0, end)).replace(/^\/api\/v1(?=\/|$)/, '');
  const shown = harmless.test(path) ? path : path.split('/').map(shownSegment).join('/');
  return shown.length <= pathLengthMax ? shown : `${shown.slice(0, pathLengthMax - 1)}…`;
}

function shownSegment(segment: string): string {
  return harmlessSegment.test(segment) ? segment : '…';
}
