/** Reads the address of a service that gets credentials. Null unless it is `https:`, or on this machine. */
export function secureUrl(text: unknown): URL | null {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  const isLocal = url.protocol === 'http:' && isThisMachine(url.hostname);
  return url.protocol === 'https:' || isLocal ? url : null;
}

export function isThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
