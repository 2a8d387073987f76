import { createFlag } from './flag.ts';

interface Shown {
  person: string;
  company: string;
}

/**
 * The ids of the person and the company that this page shows. In another tab, someone else may sign in, or the session may switch
 * to another company. The server then refuses the requests of this page, so that nothing is done for the wrong person or in the
 * wrong company, and the page says so.
 */
let shown: Shown | null = null;

/**
 * Whether the session belongs to someone else than the page shows. Set it after a request that was refused with `other_person`.
 */
export const otherPerson = createFlag();

/**
 * Whether the session works in another company than the page shows. Set it after a request that was refused with `other_company`,
 * and reset it after the session was switched back.
 */
export const otherCompany = createFlag();

/** Call it with what the server says of the session. The first call decides what the page shows. The server refuses others. */
export function show(ofSession: Shown): void {
  shown ??= ofSession;
  otherPerson.set(false);
  otherCompany.set(false);
}

/** The headers by which the server knows what the page shows. */
export function shownHeaders(): Record<string, string> {
  return shown === null ? {} : { 'countersign-person': shown.person, 'countersign-company': shown.company };
}

/** The same for an address that the browser itself requests, without our headers. */
export function shownQuery(): { shown_person?: string; company?: string } {
  return shown === null ? {} : { shown_person: shown.person, company: shown.company };
}
