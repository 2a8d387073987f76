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
 * are `unavailable` and retried, for example connection errors, a failed sign-in, or a server that doesn't accept our
 * address or sender. Servers recover and settings can be fixed.
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

/** 53x is about the sign-in, 503 and 521 about the session, 5.4.5 about the sender's daily quota. */
const notAboutRecipient = /^(?:503|521|53[0-9])|\b5\.4\.5\b/;

function isAboutRecipient({ response = '', responseCode = 0, command }: SmtpFailure): boolean {
  const isPermanent = responseCode >= 500 && responseCode < 600;
  if (!isPermanent || notAboutRecipient.test(response) || isAboutSender(response)) return false;
  return command === 'RCPT TO' || command === 'DATA';
}

/** 5.1.7 and 5.1.8 are about the sender's address, 5.7.54, 5.7.60 and 5.7.64 are Exchange's for what a client may not send. */
const senderCodes = /^5\d\d[ -]5\.(?:1\.[78]|7\.(?:54|60|64))\b/;
const senderPhrases = [
  /\brelay(?:ing)? (?:access )?(?:is )?(?:denied|not (?:permitted|allowed)|prohibited)/i,
  /\b(?:unable|not (?:permitted|allowed)) to relay\b|\brcpthosts\b/i,
  /\b(?:client host|helo command|sender address) rejected\b|\bsender verify failed\b/i,
  /\bblocked using\b/i,
];
/** A relay quotes what the recipient's server said. */
const recipientPhrases = /\brecipient address\b|\bsaid:/i;

/**
 * Whether a permanent answer is about our server, its address or MAIL_FROM. Postfix gives such answers to RCPT TO, as those about
 * a recipient.
 */
export function isAboutSender(reply: string): boolean {
  if (senderCodes.test(reply)) return true;
  return /^5\d\d/.test(reply) && !recipientPhrases.test(reply) && senderPhrases.some((phrase) => phrase.test(reply));
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
