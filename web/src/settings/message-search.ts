/** Filters of the message log in the address. Times are in UTC, such as `2026-03-01T09:30:00.000Z`. */
export interface MessageSearch {
  state?: string;
  kind?: string;
  /** An e-mail address or a phone number. */
  address?: string;
  document_id?: string;
  from?: string;
  to?: string;
}
