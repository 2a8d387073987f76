import { isPlausibleEmail } from '../platform/email-address.ts';
import { accentPattern } from './accent.ts';
import { type BrandSettings, isSenderName } from './brand.ts';
import { findUnknownVariable, isBrandSubject, isIntroduction } from './email-texts.ts';

type BrandProperty = 'accent' | 'sender_name' | 'reply_to' | 'subject' | 'introduction';

/** A property of a brand that can't be saved. */
export class BrandFault extends Error {
  override name = 'BrandFault';
  readonly code: 'invalid_input' | 'unknown_variable';
  readonly param: BrandProperty;
  /** The part of the property that is wrong. */
  readonly value: string | undefined;

  constructor(code: BrandFault['code'], param: BrandProperty, value?: string) {
    super(`${param}: ${code}`);
    this.code = code;
    this.param = param;
    this.value = value;
  }
}

/** Settings as people enter them. An empty text means the default. */
export interface SettingsInput {
  accent: string;
  sender_name: string;
  reply_to: string;
  always_reply_to: boolean;
}

/** Throws a `BrandFault` for the first property that is wrong. */
export function readBrandSettings(input: SettingsInput): BrandSettings {
  const accent = input.accent.trim().toLowerCase();
  const senderName = input.sender_name.trim();
  const replyTo = input.reply_to.trim();
  if (accent !== '' && !accentPattern.test(accent)) throw new BrandFault('invalid_input', 'accent');
  if (senderName !== '' && !isSenderName(senderName)) throw new BrandFault('invalid_input', 'sender_name');
  if (replyTo === '' ? input.always_reply_to : !isPlausibleEmail(replyTo)) {
    throw new BrandFault('invalid_input', 'reply_to');
  }
  return {
    accent: accent || null,
    senderName: senderName || null,
    replyTo: replyTo || null,
    alwaysReplyTo: input.always_reply_to,
  };
}

/**
 * Reads the texts of an e-mail. An empty text means ours. Throws a `BrandFault` for a text that is too long, has invisible
 * characters, or has an unknown variable.
 */
export function readBrandTexts(input: { subject: string; introduction: string }) {
  const subject = input.subject.trim();
  const introduction = input.introduction.replaceAll(/\r\n?/g, '\n').trim();
  if (!isBrandSubject(subject)) throw new BrandFault('invalid_input', 'subject');
  if (!isIntroduction(introduction)) throw new BrandFault('invalid_input', 'introduction');
  for (const [param, text] of [['subject', subject] as const, ['introduction', introduction] as const]) {
    const value = findUnknownVariable(text);
    if (value !== null) throw new BrandFault('unknown_variable', param, value);
  }
  return { subject: subject || null, introduction: introduction || null };
}
