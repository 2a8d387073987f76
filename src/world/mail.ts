import { createRequire } from 'node:module';
import addressparser from 'nodemailer/lib/addressparser';
import { OperatorError } from '../errors.ts';
import { withAsciiDomain } from './canonical-email.ts';
import type { DeliveryOutcome } from './delivery-outcome.ts';
import { classifyMailError } from './mail-failure.ts';
import { oneLine, withoutDirectionControls } from './mail-text.ts';

export interface MailMessage {
  /** The delivery's own id: a message sent again carries the same Message-ID, by which mail systems know it. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
}

export type { DeliveryOutcome };

export interface MailSender {
  /** Never throws for a delivery that fails. */
  send(message: MailMessage): Promise<DeliveryOutcome>;
  /** Ends what is still being delivered: its outcome is `unavailable`. */
  close(): Promise<void>;
}

export interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://…`; nodemailer's options may follow as a query. */
  url: string;
  /** `Company <no-reply@example.com>` */
  from: string;
  /** Limit of one whole delivery; connecting gets a sixth of it, a silence two thirds. Less than a delivery job's own. */
  timeoutMs?: number;
}

/** One address and nothing else: no list, no brackets, no line end that could go on as another command. */
const plainAddress = /^[^\s@<>(),;:"\\\p{Cc}]+@[^\s@<>(),;:"\\\p{Cc}]+$/u;

/** Mail through an SMTP server over a few kept connections. Throws an `OperatorError` for settings that cannot work. */
export function createSmtpMail({ url, from, timeoutMs = 90_000 }: SmtpOptions): MailSender {
  const sender = parseSender(from);
  const transport = loadNodemailer().createTransport({
    url: checkedUrl(url),
    pool: true,
    dnsTimeout: timeoutMs / 6,
    connectionTimeout: timeoutMs / 6,
    greetingTimeout: timeoutMs / 6,
    socketTimeout: (timeoutMs * 2) / 3,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send(message) {
      if (!plainAddress.test(message.to.address)) {
        return { kind: 'refused', reason: 'this is not an address that mail can be sent to' };
      }
      // The domain that addresses are compared by is also the one that mail goes to.
      const address = withAsciiDomain(message.to.address);
      try {
        const sent = await transport.sendMail({
          from: sender,
          to: { name: withoutDirectionControls(oneLine(message.to.name)), address },
          envelope: { from: sender.address, to: [address] },
          ...(message.replyTo === undefined ? {} : { replyTo: oneLine(message.replyTo) }),
          subject: oneLine(message.subject),
          text: message.text,
          html: message.html,
          messageId: `<${message.id}@${domainOf(sender.address)}>`,
          // Keeps holiday notices from coming back.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal: AbortSignal.timeout(timeoutMs),
        });
        return { kind: 'accepted', providerId: sent.serverMessageId ?? providerIdOf(sent.response) };
      } catch (error) {
        return classifyMailError(error);
      }
    },
    async close() {
      transport.close({ force: true });
    },
  };
}

const require = createRequire(import.meta.url);

/** Only where there is a mail server: it takes 15 MB, and a process that serves the API alone needs none of it. */
function loadNodemailer(): typeof import('nodemailer') {
  return require('nodemailer');
}

/** What MAIL_FROM says. Throws an `OperatorError` for what is not one address. */
export function parseSender(from: string): { name: string; address: string } {
  const [sender, ...others] = /\p{Cc}/u.test(from) ? [] : addressparser(from, { flatten: true });
  if (sender === undefined || others.length > 0 || !plainAddress.test(sender.address)) {
    throw new OperatorError(
      'bad setting MAIL_FROM: it must be one address, such as Example Ltd <no-reply@example.com>',
    );
  }
  return { name: sender.name, address: sender.address };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function checkedUrl(smtpUrl: string): string {
  if (!/^smtps?:\/\//i.test(smtpUrl) || !URL.parse(smtpUrl)?.hostname) {
    throw new OperatorError('bad setting SMTP_URL: it must look like smtp://user:password@host:port or smtps://…');
  }
  if (/[?&](logger|debug|transactionLog)=/i.test(smtpUrl)) {
    throw new OperatorError('bad setting SMTP_URL: it must not ask for a log, which would hold addresses and links');
  }
  return smtpUrl;
}

/** The name the server gave the message, by which its administrator finds it: `250 2.0.0 Ok: queued as 4B2D19A`. */
function providerIdOf(response: string | undefined): string | null {
  return /(?:queued (?:mail for delivery )?as|\bid=?)\s*<?([\w.@-]{4,120})>?/i.exec(response ?? '')?.[1] ?? null;
}
