import type { SignBody } from '../script-contract.ts';
import { setUpConsent } from './consent.ts';
import { showDecision } from './declining.ts';
import { element, showFieldError, texts } from './elements.ts';
import { setUpMark, signatureInput } from './mark.ts';
import { offerSaved } from './saved-offer.ts';
import { keepShown, whatWasShown } from './shown.ts';
import { onSubmission } from './submission.ts';

/** Sets up the form of signers and approvers. Approvers have no tabs and nothing to draw. */
export function setUpSigning(): void {
  const mark = setUpMark('signature', () => {});
  const consent = setUpConsent();
  element('sign-form').addEventListener('submit', (event) => event.preventDefault());

  onSubmission({
    action: 'sign',
    button: element<HTMLButtonElement>('sign'),
    problem: element('sign-problem'),
    sending: texts().recording,
    body: (): SignBody | null => {
      const made = mark.value();
      if (made === null) {
        mark.askForMissing();
        return null;
      }
      if (consent.askForMissing()) return null;
      const name = mark.input.value.trim();
      const named = name === '' ? {} : { full_name: name };
      return { ...named, signature: signatureInput(made), ...whatWasShown(), ...consent.input() };
    },
    explainAtField: (code, sentence) => {
      if (code === 'invalid_full_name') showFieldError(mark.input, sentence);
      else if (code === 'invalid_signature') mark.showError(sentence);
      else return false;
      return true;
    },
  });

  offerSaved([mark]);
  keepShown();
  element('start').addEventListener('click', () => {
    showDecision('sign');
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    element('sign-part').scrollIntoView({ block: 'start', behavior: isCalm ? 'instant' : 'smooth' });
    mark.input.focus({ preventScroll: true });
    mark.input.select();
  });
}
