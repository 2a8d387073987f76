import { OperatorError } from '../errors.ts';
import type { DeliveryOutcome } from './mail.ts';
import { createTwilioSms } from './sms-twilio.ts';

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

/** One adapter for each provider, by the scheme of SMS_URL. */
const adapters: Record<string, SmsAdapter> = {
  'twilio:': createTwilioSms,
};

/** `twilio://SID:TOKEN@FROM`. Throws an `OperatorError` that names SMS_URL. `timeoutMs`: limit of one delivery. */
export function createSms(smsUrl: string, timeoutMs = 20_000): SmsSender {
  const url = URL.canParse(smsUrl) ? new URL(smsUrl) : null;
  const adapter = url === null ? undefined : adapters[url.protocol];
  if (url === null || adapter === undefined) {
    const schemes = Object.keys(adapters).map((protocol) => `${protocol}//`);
    throw new OperatorError(`bad setting SMS_URL: it must start with ${schemes.join(' or ')}`);
  }
  return adapter(url, timeoutMs);
}

/** Only digits, and the plus of an international number: providers want no spaces, brackets or dashes. */
export function dialable(number: string): string {
  const digits = number.normalize('NFKC').replace(/[^\d+]/g, '');
  const rest = digits.replace(/\+/g, '');
  if (digits.startsWith('+')) return `+${rest}`;
  return rest.startsWith('00') ? `+${rest.slice(2)}` : rest;
}
