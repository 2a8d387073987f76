import type { SignBody } from '../script-contract.ts';
import { clearFieldError, showFieldError, texts } from './elements.ts';

/** The box that must be ticked before signing. Companies choose whether there is one. */
export interface Consent {
  /** Null: there is no box. */
  box: HTMLInputElement | null;
  /** Whether nothing is left to tick. */
  isGiven(): boolean;
  /** Says that the box must be ticked, and focuses it. Returns false if nothing is left to tick. */
  askForMissing(): boolean;
  /** What the page sends with the signature. */
  input(): Pick<SignBody, 'consent'>;
}

export function setUpConsent(onChange: () => void = () => {}): Consent {
  const box = document.getElementById('consent') as HTMLInputElement | null;
  const isGiven = () => box === null || box.checked;
  box?.addEventListener('change', () => {
    clearFieldError(box);
    onChange();
  });
  return {
    box,
    isGiven,
    askForMissing: () => {
      if (box === null || box.checked) return false;
      showFieldError(box, texts().refusals.consent_required);
      return true;
    },
    input: () => (box === null ? {} : { consent: true }),
  };
}
