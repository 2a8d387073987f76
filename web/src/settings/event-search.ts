/** Filters of the event log in the address. Times are in UTC, such as `2026-03-01T09:30:00.000Z`. */
export interface EventSearch {
  search?: string;
  event?: string;
  status?: string;
  from?: string;
  to?: string;
}
