import { ApiFailure } from '../api/client.ts';
import { fill } from '../language.ts';
import { type NewRecipient, recipientInputs } from './new-recipient.ts';
import { newText } from './new-texts.ts';
import { numberIn, remindersInput } from './reminder-schedule.ts';
import type { DocumentDetail } from './types.ts';

/** Returns the form's input as the body of `POST /documents` of the API, with reminders. */
export function documentBody(
  form: FormData,
  recipients: readonly NewRecipient[],
  mode: DocumentDetail['sign_order_mode'],
): object {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  return {
    title: text('title'),
    type: text('type'),
    primary_language: text('language'),
    recipients: recipientInputs(recipients),
    content: {
      message: text('message') || null,
      sign_order_mode: mode,
      // An invalid number is sent unchanged, and the server refuses it.
      expires_in_days: numberIn(form, 'expires'),
    },
    reminders: remindersInput(form),
  };
}

/** Describes an invalid input: `recipients[1].email` is the address of the second recipient. */
export function faultsOf(failure: unknown): Record<string, string> {
  if (!(failure instanceof ApiFailure) || failure.param === null) return {};
  const [, index, of] = /^recipients\[(\d+)\]\.(\w+)$/.exec(failure.param) ?? [];
  const name = of ?? failure.param.split('.').at(-1) ?? '';
  const field = newText.fields[name] ?? name;
  const sentence =
    index === undefined ? fill(newText.atFault, { field }) : fill(newText.atFaultOf, { n: Number(index) + 1, field });
  return { invalid_input: sentence };
}
