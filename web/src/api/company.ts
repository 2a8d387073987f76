/**
 * The company that this page shows. Another tab may switch the session to another one. The server then refuses the requests of this
 * page, so that nothing is done in the wrong company, and the page says so.
 */
let shown: string | null = null;
let isOther = false;
const listeners = new Set<() => void>();

export const company = {
  /** Whether the session works in another company than the page shows. */
  isOther: () => isOther,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Call it with the company that the page begins with. */
export function showCompany(id: string): void {
  shown ??= id;
}

/** The header by which the server knows what the page shows. */
export function companyHeader(): Record<string, string> {
  return shown === null ? {} : { 'countersign-company': shown };
}

/** Call it after a request that was refused with `other_company`, and after the session was switched back. */
export function setOtherCompany(other: boolean): void {
  if (other === isOther) return;
  isOther = other;
  for (const listener of [...listeners]) listener();
}
