import { join } from 'node:path';
import type { Config } from '../config.ts';
import { createSmtpMail, type MailSender, parseSender } from './mail.ts';
import { createMailbox } from './mailbox.ts';
import { createSms, type SmsSender } from './sms.ts';

/** What is not configured goes to the local mailbox in DATA_DIR. */
export function openMail(config: Config): MailSender {
  const { smtpUrl: url, mailFrom: from } = config;
  if (url !== null) return createSmtpMail({ url, from });
  parseSender(from); // a bad setting is named at once, not on the day when a mail server is set
  return mailboxOf(config).mail;
}

/** `timeoutMs`: limit of one delivery, for those a person waits for. */
export function openSms(config: Config, timeoutMs?: number): SmsSender {
  return config.smsUrl === null ? mailboxOf(config).sms : createSms(config.smsUrl, timeoutMs);
}

function mailboxOf({ dataDir }: Config) {
  return createMailbox({ dir: join(dataDir, 'mailbox') });
}
