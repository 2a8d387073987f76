/** Levels of nesting a request may have. Real bodies have four; a limit keeps recursion, and with it the stack, bounded. */
export const jsonDepthMax = 100;

/**
 * JSON with sorted keys and no white space, so that equal values have equal bytes: what is hashed for idempotency,
 * for the audit chain and for the content of a document. `value` comes from `JSON.parse` or holds only JSON types.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** Whether the text of a JSON value nests deeper than `depthMax`; brackets inside strings do not count. */
export function nestsDeeperThan(json: string, depthMax: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}
