import { join } from 'node:path';
import type { Config } from '../config.ts';
import { createSmtpMail, type MailSender } from './mail.ts';
import { createMailbox } from './mailbox.ts';
import { createSms, type SmsSender } from './sms.ts';

/** What is not configured goes to the local mailbox in DATA_DIR. */
export function openMail(config: Config): MailSender {
  if (config.smtpUrl === null) return mailboxOf(config).mail;
  return createSmtpMail({ url: config.smtpUrl, from: config.mailFrom });
}

/** `timeoutMs`: limit of one delivery, for those a person waits for. */
export function openSms(config: Config, timeoutMs?: number): SmsSender {
  return config.smsUrl === null ? mailboxOf(config).sms : createSms(config.smsUrl, timeoutMs);
}

function mailboxOf({ dataDir }: Config) {
  return createMailbox({ dir: join(dataDir, 'mailbox') });
}
