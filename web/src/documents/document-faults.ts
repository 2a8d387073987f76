import { needsPhone, recipientKind, roleLengthMax } from '../../../src/documents/recipient.ts';
import { canRemindBeforeExpiry, reminderDaysMax, remindersMax } from '../../../src/documents/reminder-plan.ts';
import {
  messageLengthMax,
  phoneLengthMax,
  recipientNameLengthMax,
  titleLengthMax,
} from '../../../src/documents/text-lengths.ts';
import { isPlausibleEmail } from '../../../src/platform/email-address.ts';
import { ApiFailure } from '../api/client.ts';
import { fill } from '../language.ts';
import { authLevelOf, type NewRecipient } from './new-recipient.ts';
import { newText } from './new-texts.ts';
import { numberIn } from './reminder-schedule.ts';

/**
 * Messages for the invalid inputs of the document form: by the name of the input, or by the key of the recipient and the
 * property, such as `title` or `123.email`.
 */
export type Faults = Readonly<Record<string, string>>;

type Property = 'name' | 'email' | 'phone' | 'role';

const properties: readonly string[] = ['name', 'email', 'phone', 'role'] satisfies Property[];

export const recipientFault = ({ key }: Pick<NewRecipient, 'key'>, property: Property) => `${key}.${property}`;

/** Finds the invalid inputs, by the rules of the server. Contact details are optional in a template. */
export function findFaults(form: FormData, recipients: readonly NewRecipient[], isTemplate: boolean): Faults {
  const { required, invalid } = newText;
  const faults: Record<string, string> = {};
  const checkLength = (at: string, text: string, max: number) => {
    if ([...text].length > max) faults[at] = fill(newText.tooLong, { n: max });
  };
  const entered = (name: string) => String(form.get(name) ?? '').trim();
  if (entered('title') === '') faults.title = required.title;
  checkLength('title', entered('title'), titleLengthMax);
  checkLength('message', entered('message'), messageLengthMax);
  for (const recipient of recipients) {
    const { channel, part } = recipient;
    const role = recipient.role.trim();
    const [name, email, phone] = [recipient.name.trim(), recipient.email.trim(), recipient.phone.trim()];
    const lacksPhone = phone === '' && needsPhone({ channel, auth_level: authLevelOf(recipient) });
    checkLength(recipientFault(recipient, 'name'), name, recipientNameLengthMax);
    checkLength(recipientFault(recipient, 'phone'), phone, phoneLengthMax);
    if (part === 'signer') checkLength(recipientFault(recipient, 'role'), role, roleLengthMax);
    if (name === '') faults[recipientFault(recipient, 'name')] = isTemplate ? required.roleOrName : required.name;
    if (email !== '' && !isPlausibleEmail(email)) faults[recipientFault(recipient, 'email')] = invalid.email;
    // The API takes these words as the part.
    if (part === 'signer' && recipientKind({ party_role: role }) !== 'signer') {
      faults[recipientFault(recipient, 'role')] = invalid.role;
    }
    if (isTemplate) continue;
    if (email === '' && channel === 'email') faults[recipientFault(recipient, 'email')] = required.email;
    if (lacksPhone) faults[recipientFault(recipient, 'phone')] = required.phone;
  }
  return { ...faults, ...numberFaults(form) };
}

function numberFaults(form: FormData): Faults {
  const { invalid } = newText;
  const faults: Record<string, string> = {};
  const expires = numberIn(form, 'expires');
  const before = numberIn(form, 'expiry_reminder_days');
  if (expires !== null && !isWithin(expires, 1, reminderDaysMax)) faults.expires = invalid.days;
  if (before !== null && !(isWithin(before, 1, reminderDaysMax) && canRemindBeforeExpiry(before, expires))) {
    faults.expiry_reminder_days = invalid.expiry_reminder_days;
  }
  if (form.get('reminders') !== 'own') return faults;
  for (const name of ['first_after_days', 'every_days'])
    if (!isWithin(numberIn(form, name), 1, reminderDaysMax)) faults[name] = invalid.days;
  if (!isWithin(numberIn(form, 'at_most'), 0, remindersMax)) faults.at_most = invalid.at_most;
  return faults;
}

function isWithin(value: number | null, min: number, max: number): boolean {
  return value !== null && value >= min && value <= max;
}

/** Returns the message for the input that the server refused. Empty if the error is about none of the form's text inputs. */
export function refusedInput(failure: unknown, recipients: readonly NewRecipient[]): Faults {
  if (!(failure instanceof ApiFailure) || failure.param === null) return {};
  const { required, invalid } = newText;
  const [, index, property = ''] = /^recipients\[(\d+)\]\.(\w+)$/.exec(failure.param) ?? [];
  const recipient = recipients[Number(index)];
  if (recipient !== undefined) {
    const messages: Faults = { name: required.name, email: invalid.email, phone: required.phone };
    const message = messages[property];
    return message === undefined ? {} : { [recipientFault(recipient, property as Property)]: message };
  }
  // The last part of `content.expires_in_days` or `reminders.schedule.at_most`.
  const faults: Record<string, Faults> = {
    title: { title: required.title },
    message: { message: fill(newText.tooLong, { n: messageLengthMax }) },
    expires_in_days: { expires: invalid.days },
    first_after_days: { first_after_days: invalid.days },
    every_days: { every_days: invalid.days },
    at_most: { at_most: invalid.at_most },
    expiry_reminder_days: { expiry_reminder_days: invalid.expiry_reminder_days },
  };
  return faults[failure.param.split('.').at(-1) ?? ''] ?? {};
}

/** Returns the messages without those that a change of a recipient may have made obsolete. */
export function faultsAfter(faults: Faults, recipient: string, changes: Partial<NewRecipient>): Faults {
  const changed = properties.filter((property) => Object.hasOwn(changes, property));
  // Another channel, identity check or part may need other contact details.
  const obsolete = changed.length > 0 ? changed : properties;
  return without(
    faults,
    obsolete.map((property) => recipientFault({ key: recipient }, property as Property)),
  );
}

export function without(faults: Faults, names: readonly string[]): Faults {
  return Object.fromEntries(Object.entries(faults).filter(([name]) => !names.includes(name)));
}
