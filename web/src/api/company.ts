import { createFlag } from './flag.ts';

/**
 * The company that this page shows. Another tab may switch the session to another one. The server then refuses the requests of this
 * page, so that nothing is done in the wrong company, and the page says so.
 */
let shown: string | null = null;

/**
 * Whether the session works in another company than the page shows. Set it after a request that was refused with `other_company`,
 * and reset it after the session was switched back.
 */
export const otherCompany = createFlag();

/** Call it with the company that the page begins with. */
export function showCompany(id: string): void {
  shown ??= id;
}

/** The header by which the server knows what the page shows. */
export function companyHeader(): Record<string, string> {
  return shown === null ? {} : { 'countersign-company': shown };
}

/** The same for an address that the browser itself requests, without our headers. */
export function companyQuery(): { company?: string } {
  return shown === null ? {} : { company: shown };
}
