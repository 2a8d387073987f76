import { createRequire } from 'node:module';
import addressparser from 'nodemailer/lib/addressparser';
import { OperatorError } from '../errors.ts';
import { withAsciiDomain } from './canonical-email.ts';
import type { DeliveryOutcome } from './delivery-outcome.ts';
import { limitAtOnce, NoTurnError } from './limit-at-once.ts';
import { classifyMailError } from './mail-failure.ts';
import { oneLine, withoutDirectionControls } from './mail-text.ts';

export interface MailMessage {
  /** Id of the delivery. A message that is sent again has the same Message-ID, so mail systems recognise it. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** One address. Answers go there. Left out when it isn't an address that mail can be sent to. */
  replyTo?: string | null;
  /** The company that the e-mail is sent for. Null or left out: the From header has our own name. */
  senderName?: string | null;
  /** Where the addressee switches such e-mails off, also with one click of the mail program (RFC 8058). */
  unsubscribe?: string | null;
  /** Pictures that the HTML shows as `cid:<id>`. */
  pictures?: readonly MailPicture[];
}

export interface MailPicture {
  id: string;
  /** A file name. */
  name: string;
  /** `image/png` */
  type: string;
  bytes: Buffer;
}

export type { DeliveryOutcome };

export interface MailSender {
  /** Sends a message. A failed delivery is an outcome and doesn't throw. */
  send(message: MailMessage): Promise<DeliveryOutcome>;
  /** Aborts running deliveries, whose outcome is `unavailable`. */
  close(): Promise<void>;
}

export interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://…`, optionally with nodemailer's options as a query. */
  url: string;
  /** `Company <no-reply@example.com>` */
  from: string;
  /**
   * Time limit of one delivery. Connecting gets a sixth of it and a silence two thirds. A message waits as long for a free connection
   * before. The limit of a delivery job must be more than both together.
   */
  timeoutMs?: number;
}

/** `maxConnections` in the query of the URL changes it. */
const connectionsMaxDefault = 5;

/** A single address without lists, brackets or line ends, which could inject another command. */
const plainAddress = /^[^\s@<>(),;:"\\\p{Cc}]+@[^\s@<>(),;:"\\\p{Cc}]+$/u;

/**
 * Creates a mail sender that uses an SMTP server over a few kept connections. Throws an `OperatorError` for invalid
 * settings.
 */
export function createSmtpMail({ url, from, timeoutMs = 90_000 }: SmtpOptions): MailSender {
  const sender = parseSender(from);
  const connectionsMax =
    Number(URL.parse(checkSmtpUrl(url))?.searchParams.get('maxConnections')) || connectionsMaxDefault;
  const transport = loadNodemailer().createTransport({
    url,
    pool: true,
    maxConnections: connectionsMax,
    dnsTimeout: timeoutMs / 6,
    connectionTimeout: timeoutMs / 6,
    greetingTimeout: timeoutMs / 6,
    socketTimeout: (timeoutMs * 2) / 3,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // The time limit of a message must not start while it waits: it would be cut off when the server has it already, and be sent again.
  const withConnection = limitAtOnce({ max: connectionsMax, waitMs: timeoutMs });

  return {
    async send(message) {
      if (!plainAddress.test(message.to.address)) {
        return { kind: 'refused', reason: 'this is not an address that mail can be sent to' };
      }
      // Mail goes to the same domain form that addresses are compared by.
      const address = withAsciiDomain(message.to.address);
      const mail = {
        from: { name: fromName(message.senderName) ?? sender.name, address: sender.address },
        to: { name: withoutDirectionControls(oneLine(message.to.name)), address },
        envelope: { from: sender.address, to: [address] },
        ...replyTo(message.replyTo ?? null),
        subject: oneLine(message.subject),
        text: message.text,
        html: message.html,
        attachments: (message.pictures ?? []).map(({ id, name, type, bytes }) => {
          return {
            cid: id,
            filename: name,
            contentType: type,
            content: bytes,
            contentDisposition: 'inline' as const,
          };
        }),
        messageId: `<${message.id}@${domainOf(sender.address)}>`,
        // Prevents automatic replies.
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...unsubscribeHeaders(message.unsubscribe ?? null),
        },
      };
      try {
        const sent = await withConnection(() =>
          transport.sendMail({ ...mail, signal: AbortSignal.timeout(timeoutMs) }),
        );
        return { kind: 'accepted', providerId: sent.serverMessageId ?? providerIdOf(sent.response) };
      } catch (error) {
        if (error instanceof NoTurnError) {
          return { kind: 'unavailable', reason: 'all connections to the mail server were in use' };
        }
        return classifyMailError(error);
      }
    },
    async close() {
      transport.close({ force: true });
    },
  };
}

function unsubscribeHeaders(link: string | null): Record<string, string> {
  if (link === null) return {};
  return { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function replyTo(address: string | null) {
  return address !== null && plainAddress.test(address)
    ? { replyTo: { name: '', address: withAsciiDomain(address) } }
    : {};
}

/**
 * Returns the name in the From header of an e-mail for a company. It names us too, because the address is ours: mail programs
 * warn of names that don't belong to their address. Null without a company.
 */
export function fromName(senderName: string | null | undefined): string | null {
  const name = withoutDirectionControls(oneLine(senderName ?? ''));
  return name === '' ? null : `${name} via Countersign`;
}

const require = createRequire(import.meta.url);

/** Loads nodemailer at first use. It takes 15 MB, which a process without mail does not need. */
function loadNodemailer(): typeof import('nodemailer') {
  return require('nodemailer');
}

/** Parses MAIL_FROM. Throws an `OperatorError` unless it is one address. */
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

/** Returns the URL. Throws an `OperatorError` unless it leads to a mail server. */
export function checkSmtpUrl(smtpUrl: string): string {
  if (!/^smtps?:\/\//i.test(smtpUrl) || !URL.parse(smtpUrl)?.hostname) {
    throw new OperatorError('bad setting SMTP_URL: it must look like smtp://user:password@host:port or smtps://…');
  }
  if (/[?&](logger|debug|transactionLog)=/i.test(smtpUrl)) {
    throw new OperatorError(
      'bad setting SMTP_URL: remove logger, debug and transactionLog: the log would contain addresses and links',
    );
  }
  return smtpUrl;
}

/**
 * Returns the server's id for the message, which its administrator can search for: `250 2.0.0 Ok: queued as 4B2D19A`.
 */
function providerIdOf(response: string | undefined): string | null {
  return /(?:queued (?:mail for delivery )?as|\bid=?)\s*<?([\w.@-]{4,120})>?/i.exec(response ?? '')?.[1] ?? null;
}
