import { OperatorError } from '../errors.ts';
import type { SmsAdapter, SmsSender } from './sms-sender.ts';
import { createTwilioSms } from './sms-twilio.ts';

export type { SmsSender };

/** SMS providers by the scheme of SMS_URL. */
const adapters: Record<string, SmsAdapter> = {
  'twilio:': createTwilioSms,
};

/**
 * Creates an SMS sender for a URL such as `twilio://SID:TOKEN@FROM`. Throws an `OperatorError` that names SMS_URL.
 * `timeoutMs` limits one delivery.
 */
export function createSms(smsUrl: string, timeoutMs = 20_000): SmsSender {
  const url = URL.canParse(smsUrl) ? new URL(smsUrl) : null;
  const adapter = url === null ? undefined : adapters[url.protocol];
  if (url === null || adapter === undefined) {
    const schemes = Object.keys(adapters).map((protocol) => `${protocol}//`);
    throw new OperatorError(`bad setting SMS_URL: it must start with ${schemes.join(' or ')}`);
  }
  return adapter(url, timeoutMs);
}
