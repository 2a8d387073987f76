/** Result of one delivery attempt. A `reason` may be stored, logged and shown: it holds no address, number or link. */
export type DeliveryOutcome =
  | { kind: 'accepted'; providerId: string | null }
  /** Permanent: the recipient cannot be reached this way. */
  | { kind: 'refused'; reason: string }
  /** Temporary, or caused by our settings. A retry may succeed. */
  | { kind: 'unavailable'; reason: string };
