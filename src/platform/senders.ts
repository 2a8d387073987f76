import { join } from 'node:path';
import type { Config } from '../config.ts';
import { checkSmtpUrl, createSmtpMail, type MailSender, parseSender } from './mail.ts';
import { createMailbox } from './mailbox.ts';
import { createSms, type SmsSender } from './sms.ts';

/** Throws an `OperatorError` for settings that nothing could be sent with. Opens nothing. */
export function checkSenders({ smtpUrl, mailFrom, smsUrl }: Config): void {
  parseSender(mailFrom);
  if (smtpUrl !== null) checkSmtpUrl(smtpUrl);
  if (smsUrl !== null) createSms(smsUrl);
}

/** Opens the mail sender: SMTP if configured, else the local mailbox in DATA_DIR. */
export function openMail(config: Config): MailSender {
  const { smtpUrl: url, mailFrom: from } = config;
  if (url !== null) return createSmtpMail({ url, from });
  parseSender(from); // a bad setting is an error even if no mail server is set
  return mailboxOf(config).mail;
}

/**
 * Opens the SMS sender: the provider if configured, else the local mailbox. `timeoutMs` limits one delivery that a
 * person waits for.
 */
export function openSms(config: Config, timeoutMs?: number): SmsSender {
  return config.smsUrl === null ? mailboxOf(config).sms : createSms(config.smsUrl, timeoutMs);
}

function mailboxOf({ dataDir }: Config) {
  return createMailbox({ dir: join(dataDir, 'mailbox') });
}
