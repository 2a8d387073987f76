/** How one attempt ended. A `reason` is fit to be stored, logged and shown: no address, number or link is in it. */
export type DeliveryOutcome =
  | { kind: 'accepted'; providerId: string | null }
  /** For good: this recipient cannot be reached so. */
  | { kind: 'refused'; reason: string }
  /** For now, or because of our settings: worth another attempt. */
  | { kind: 'unavailable'; reason: string };
