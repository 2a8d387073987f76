import type { DeliveryOutcome } from './delivery-outcome.ts';

/** Properties of nodemailer's errors. */
interface SmtpFailure {
  code?: string;
  /** The system's code, such as ECONNREFUSED, when `code` is nodemailer's. */
  originalCode?: string;
  /** The server's answer and the command it was for. */
  response?: string;
  responseCode?: number;
  command?: string;
}

const reasonLengthMax = 300;
/** What is read of a reply. */
const replyLengthMax = 4000;

/**
 * Classifies an SMTP error. A permanent answer (5xx) about this recipient or message is `refused`. All other failures
 * are `unavailable` and retried, for example connection errors, a failed sign-in or an unknown sender. Servers recover
 * and settings can be fixed.
 */
export function classifyMailError(error: unknown): DeliveryOutcome {
  const failure = error as SmtpFailure;
  const { response } = failure;
  if (response !== undefined && isAboutRecipient(failure)) return { kind: 'refused', reason: printableReply(response) };
  if (failure.code === 'EENVELOPE' && failure.command === 'API') {
    return { kind: 'refused', reason: 'this is not an address that mail can be sent to' };
  }
  if (response !== undefined) return { kind: 'unavailable', reason: printableReply(response) };
  return { kind: 'unavailable', reason: whyUnavailable(failure) };
}

/**
 * 53x is about the sign-in, 503 and 521 about the session, 5.4.5 about the sender's daily quota. None is about the
 * recipient.
 */
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

/** Returns a server's message on one line, without addresses and links, which it often repeats. */
export function printableReply(response: string): string {
  return response
    .slice(0, replyLengthMax)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/<[^<>\s]*>|[^\s<>]+@[^\s<>]+/g, '(address)')
    .replace(/(?:https?:\/\/|\S*\/sign\/)\S+/gi, '(link)')
    .slice(0, reasonLengthMax)
    .toWellFormed();
}
