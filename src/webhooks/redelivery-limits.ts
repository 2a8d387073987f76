/** Maximum number of events that one action redelivers. */
export const redeliveredMax = 10_000;
/** Maximum number of events or deliveries that one action searches. */
export const searchedMax = 1_000_000;

/** Thrown when too many events match, or too many would have to be searched. */
export class TooManyEvents extends Error {
  override name = 'TooManyEvents';
}
