import { OperatorError } from '../errors.ts';
import type { DeliveryOutcome } from './delivery-outcome.ts';
import { dialable } from './dialable.ts';
import { readResponse } from './read-response.ts';
import type { SmsSender } from './sms-sender.ts';

const apiOrigin = 'https://api.twilio.com';
const answerBytesMax = 16_384;

/**
 * Sends SMS with Twilio's Messages resource. The URL is `twilio://SID:TOKEN@FROM`, where FROM is a number, a sender
 * name or the SID of a messaging service. `?api=http://127.0.0.1:PORT` sets another API address, for a proxy or tests.
 */
export function createTwilioSms(url: URL, timeoutMs: number): SmsSender {
  const sid = decodeURIComponent(url.username);
  const token = decodeURIComponent(url.password);
  const from = decodeURIComponent(url.host);
  if (sid === '' || token === '' || from === '') {
    throw new OperatorError('bad setting SMS_URL: it must look like twilio://SID:TOKEN@FROM');
  }
  const endpoint = `${originOf(url)}/2010-04-01/Accounts/${encodeURIComponent(sid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`;
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from };

  return {
    async send({ to, text }) {
      const number = dialable(to);
      if (!/\d/.test(number)) return { kind: 'refused', reason: 'this is not a telephone number' };
      try {
        const response = await fetch(endpoint, {
          method: 'POST',
          headers: { authorization, accept: 'application/json' },
          body: new URLSearchParams({ ...sender, To: number, Body: text }),
          signal: AbortSignal.timeout(timeoutMs),
          redirect: 'manual', // following it would send our token to another host
        });
        return outcomeOf(response.status, await readResponse(response, answerBytesMax));
      } catch (error) {
        return { kind: 'unavailable', reason: whyUnreachable(error) };
      }
    },
  };
}

function originOf(url: URL): string {
  const api = url.searchParams.get('api') ?? apiOrigin;
  if (!URL.canParse(api) || !/^https?:$/.test(new URL(api).protocol)) {
    throw new OperatorError('bad setting SMS_URL: its api must be an http or https origin');
  }
  return new URL(api).origin;
}

/**
 * Codes of status 400 that are about our settings and not about the recipient. The sender is unknown, belongs to
 * someone else or can't send SMS (212xx, 216xx, 217xx), or the account has a problem (2xxxx).
 */
const aboutSender = new Set([
  20001, 20003, 20005, 20006, 20008, 20404, 20429, 21212, 21603, 21606, 21611, 21618, 21659, 21660, 21701, 21702, 21703,
  21704, 21705, 21712,
]);

function outcomeOf(status: number, body: string): DeliveryOutcome {
  const answer = parseAnswer(body);
  if (status >= 200 && status < 300) return { kind: 'accepted', providerId: answer.sid };
  const reason = answer.code === null ? `Twilio answered ${status}` : `Twilio answered ${status}, error ${answer.code}`;
  const isRecipients = status === 400 && answer.code !== null && !aboutSender.has(answer.code);
  return {
    kind: isRecipients ? 'refused' : 'unavailable',
    reason: isRecipients ? explain(reason, answer.code) : reason,
  };
}

/** Reasons shown to senders. Twilio's own texts contain the number. */
const explanations: Record<number, string> = {
  21211: 'the number is not valid',
  21214: 'the number cannot be reached',
  21217: 'the number is not valid',
  21408: 'messages to this country are not enabled',
  21610: 'the recipient has unsubscribed by replying STOP',
  21612: 'the number cannot be reached from this sender',
  21614: 'the number is not a mobile number',
  21635: 'the number is a landline',
};

function explain(reason: string, code: number | null): string {
  const explanation = code === null ? undefined : explanations[code];
  return explanation === undefined ? reason : `${explanation} (${reason})`;
}

function parseAnswer(body: string): { sid: string | null; code: number | null } {
  try {
    const { sid, code } = JSON.parse(body) as { sid?: unknown; code?: unknown };
    return {
      sid: typeof sid === 'string' && sid.length <= 100 ? sid : null,
      code: typeof code === 'number' ? code : null,
    };
  } catch {
    return { sid: null, code: null };
  }
}

function whyUnreachable(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'Twilio did not answer in time';
  const { code } = ((error instanceof Error ? error.cause : undefined) as { code?: string } | undefined) ?? {};
  return code === undefined ? 'no connection to Twilio' : `no connection to Twilio (${code})`;
}
