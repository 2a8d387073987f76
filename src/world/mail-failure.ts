import type { DeliveryOutcome } from './delivery-outcome.ts';

/** What nodemailer's errors carry. */
interface SmtpFailure {
  code?: string;
  /** The system's code where `code` is nodemailer's: ECONNREFUSED. */
  originalCode?: string;
  /** What the server answered, and to which command. */
  response?: string;
  responseCode?: number;
  command?: string;
}

const reasonLengthMax = 300;

/**
 * A permanent answer (5xx) about this recipient or this message is a refusal. Everything else is the way there: no
 * connection, a sign-in that fails, a sender the server does not know, a temporary answer. Settings can be mended and
 * servers come back, so those are tried again.
 */
export function classifyMailError(error: unknown): DeliveryOutcome {
  const failure = error as SmtpFailure;
  const { response } = failure;
  if (response !== undefined && isAboutRecipient(failure)) return { kind: 'refused', reason: printable(response) };
  if (failure.code === 'EENVELOPE' && failure.command === 'API') {
    return { kind: 'refused', reason: 'this is not an address that mail can be sent to' };
  }
  if (response !== undefined) return { kind: 'unavailable', reason: printable(response) };
  return { kind: 'unavailable', reason: whyUnavailable(failure) };
}

/** 53x speak of signing in, 503 and 521 of the session, 5.4.5 of the sender's own daily quota: none of the recipient. */
const notAboutRecipient = /^(?:503|521|53[0-9])|\b5\.4\.5\b/;

function isAboutRecipient({ response = '', responseCode = 0, command }: SmtpFailure): boolean {
  const isPermanent = responseCode >= 500 && responseCode < 600 && !notAboutRecipient.test(response);
  return isPermanent && (command === 'RCPT TO' || command === 'DATA');
}

const explanations: Record<string, string> = {
  EABORT: 'the mail server took too long',
  ETIMEDOUT: 'the mail server did not answer in time',
  EDNS: 'the mail server was not found',
  ETLS: 'no secure connection to the mail server',
  EAUTH: 'the mail server refused the sign-in',
};

function whyUnavailable({ code, originalCode }: SmtpFailure): string {
  const explanation = explanations[code ?? ''] ?? 'no connection to the mail server';
  const detail = originalCode ?? code;
  return detail === undefined ? explanation : `${explanation} (${detail})`;
}

/** The server's own words, which often repeat the address, without it. */
function printable(response: string): string {
  return response
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/<[^<>\s]*>|[^\s<>]+@[^\s<>]+/g, '(address)')
    .replace(/https?:\/\/\S+/gi, '(link)')
    .slice(0, reasonLengthMax);
}
