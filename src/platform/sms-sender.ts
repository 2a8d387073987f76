import type { DeliveryOutcome } from './delivery-outcome.ts';

export interface SmsMessage {
  /** Id of the delivery. */
  id: string;
  /** Number as the sender typed it: `+1 (555) 123-4567`. */
  to: string;
  text: string;
}

export interface SmsSender {
  /** Sends a message. A failed delivery is an outcome and doesn't throw. */
  send(message: SmsMessage): Promise<DeliveryOutcome>;
}

/** Creates a sender for SMS_URL. Throws an `OperatorError` if the provider can't use the URL. */
export type SmsAdapter = (url: URL, timeoutMs: number) => SmsSender;
