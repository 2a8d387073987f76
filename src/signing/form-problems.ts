import type { Field } from '../documents/field.ts';
import type { NumberStyle } from '../documents/number-value.ts';
import { isPlausiblePng } from '../pdf/plausible-png.ts';
import { type Entered, findFaults, unseenResults } from './form-body.ts';
import { isLine } from './mark-content.ts';
import type { FormProblem } from './pages/form-summary.ts';
import type { SigningSession } from './signing-session.ts';
import { initialsLengthMax, nameLengthMax } from './text-lengths.ts';

/** Returns everything that is wrong with a form, in the order of its controls. */
export function problemsOf(own: readonly Field[], entered: Entered, numbers: NumberStyle): FormProblem[] {
  const faults = findFaults(own, entered, numbers);
  const problems: FormProblem[] = [...faults].map(([id, fault]) => {
    return { code: fault === 'missing' ? 'fields_missing' : 'invalid_field', field: id };
  });
  const needsInitials = own.some(({ id, type }) => type === 'initials' && entered.fields.get(id) === 'true');
  const needsStamp = own.some(({ id, type }) => type === 'stamp' && entered.fields.get(id) === 'true');
  const { initials, fullName, stamp } = entered;
  if (needsInitials && initials === '') problems.push({ code: 'fields_missing', target: 'initials' });
  else if (initials !== '' && !isLine(initials, initialsLengthMax))
    problems.push({ code: 'invalid_field', target: 'initials' });
  if (stamp !== null && !isPlausiblePng(Buffer.from(stamp, 'base64'))) {
    problems.push({ code: 'invalid_signature', target: 'stamp' });
  } else if (stamp === null && needsStamp) problems.push({ code: 'fields_missing', target: 'stamp' });
  if (!isLine(fullName, nameLengthMax)) {
    problems.push({ code: 'invalid_full_name', target: 'full-name' });
  }
  return problems;
}

export function consentProblems({ document }: SigningSession, { isConsentTicked }: Entered): FormProblem[] {
  return document.asks_consent && !isConsentTicked ? [{ code: 'consent_required', target: 'consent' }] : [];
}

/**
 * Returns the calculated fields whose result the page didn't show yet. Without a script, it calculates when the form is sent, and
 * what is signed must have been shown.
 */
export function unseenProblems(form: URLSearchParams, own: readonly Field[], entered: Entered): FormProblem[] {
  return unseenResults(form, own, entered).map(({ id }) => ({ code: 'invalid_field', field: id }));
}
