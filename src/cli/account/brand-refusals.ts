import { textVariables } from '../../branding/email-texts.ts';
import { BrandFault } from '../../branding/read-brand-input.ts';
import { Refusal } from '../../errors.ts';

const sentences: Record<BrandFault['param'], string> = {
  accent: 'the accent must be a colour such as #1d63d8',
  sender_name: 'the sender name must have at most 60 characters, no <, >, @, quotation marks or invisible characters',
  reply_to: 'the reply address must be an e-mail address, and --always-reply-to on needs one',
  subject: 'the subject must be one line of at most 150 characters, without invisible characters',
  introduction: 'the introduction must have at most 600 characters, without invisible characters',
};

/** Turns a `BrandFault` into a `Refusal`. */
export function refusingFaults<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BrandFault)) throw error;
    throw new Refusal(sentenceOf(error));
  }
}

function sentenceOf({ code, param, value }: BrandFault): string {
  if (code === 'invalid_input') return sentences[param];
  const known = textVariables.map((name) => `{{${name}}}`).join(', ');
  return `the ${param} has "${value}", which is not one of ${known}`;
}

export function assertSaved(isSaved: boolean): void {
  if (!isSaved) throw new Refusal('someone else changed the branding at the same time: try again');
}
