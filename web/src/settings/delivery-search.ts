/** Filters of an endpoint's deliveries in the address. Times are in UTC, such as `2026-03-01T09:30:00.000Z`. */
export interface DeliverySearch {
  /** The id of a document or an event. */
  search?: string;
  status?: string;
  event?: string;
  /** The class of the last answer, such as `5xx`, or `none`. */
  answer?: string;
  from?: string;
  to?: string;
}

export function isFiltered(search: DeliverySearch): boolean {
  return Object.values(search).some((value) => value !== undefined);
}
