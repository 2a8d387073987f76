import type { NewRecipient } from './new-recipient.ts';

/** The value that each named input of a form begins with. */
export type StartValues = Readonly<Record<string, string>>;

/** Puts changed values in the inputs of a form in which the user entered nothing else. */
export function takeNewerValues(form: HTMLFormElement, before: StartValues, now: StartValues): void {
  for (const [name, value] of Object.entries(now)) {
    const input = form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | null;
    if (input !== null && input.value === before[name]) input.value = value;
  }
}

/**
 * Takes over what changed in the recipients of a template, from `before` to `now`, except where the user entered something else.
 * A removed recipient stays, without its fields, if the user entered something for it.
 */
export function takeNewerRecipients(
  entered: readonly NewRecipient[],
  before: readonly NewRecipient[],
  now: readonly NewRecipient[],
): NewRecipient[] {
  const withId = (recipients: readonly NewRecipient[], id: string | null) =>
    recipients.find((recipient) => recipient.id === id && id !== null);
  const kept = entered.flatMap((recipient) => {
    const [old, latest] = [withId(before, recipient.id), withId(now, recipient.id)];
    if (old === undefined) return recipient;
    if (latest !== undefined) return takeNewer(recipient, old, latest);
    const isUntouched = JSON.stringify(recipient) === JSON.stringify(old);
    return isUntouched ? [] : { ...recipient, id: null, placeholder: '' };
  });
  const added = now.filter(({ id }) => withId(before, id) === undefined);
  return [...kept, ...added];
}

function takeNewer(entered: NewRecipient, before: NewRecipient, now: NewRecipient): NewRecipient {
  const names = Object.keys(now) as (keyof NewRecipient)[];
  const own = names.filter((name) => entered[name] !== before[name]);
  return { ...now, ...Object.fromEntries(own.map((name) => [name, entered[name]])) };
}
