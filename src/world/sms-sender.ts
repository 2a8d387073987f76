import type { DeliveryOutcome } from './delivery-outcome.ts';

export interface SmsMessage {
  /** The delivery's own id. */
  id: string;
  /** As the sender typed it: `+1 (555) 123-4567`. */
  to: string;
  text: string;
}

export interface SmsSender {
  /** Never throws for a delivery that fails. */
  send(message: SmsMessage): Promise<DeliveryOutcome>;
}

/** Throws an `OperatorError` for a URL its provider cannot work with. */
export type SmsAdapter = (url: URL, timeoutMs: number) => SmsSender;
