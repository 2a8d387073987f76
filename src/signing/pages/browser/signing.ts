import type { SignatureInput, SignBody } from '../script-contract.ts';
import { showDecision } from './declining.ts';
import { pngOf } from './drawing.ts';
import { clearFieldError, element, showFieldError, texts } from './elements.ts';
import { setUpSignatureTabs } from './signature-tabs.ts';
import { onSubmission } from './submission.ts';

/** Sets up the form of signers and approvers. Approvers have no tabs and nothing to draw. */
export function setUpSigning(): void {
  const fullName = element<HTMLInputElement>('full-name');
  const tabs = document.getElementById('draw-tab')
    ? setUpSignatureTabs({
        prefix: '',
        onChange: () => {
          fullName.required = !draws();
          if (draws()) clearFieldError(fullName);
        },
      })
    : null;
  const draws = () => tabs?.selected() === 'draw';

  const showTyped = () => {
    const preview = document.getElementById('typed-signature');
    if (preview) preview.textContent = fullName.value.trim();
  };
  fullName.addEventListener('input', () => {
    clearFieldError(fullName);
    showTyped();
  });
  showTyped(); // the browser may have restored the name after a reload

  element('sign-form').addEventListener('submit', (event) => event.preventDefault());

  onSubmission({
    action: 'sign',
    button: element<HTMLButtonElement>('sign'),
    problem: element('sign-problem'),
    sending: texts().recording,
    body: (): SignBody | null => {
      const name = fullName.value.trim();
      if (name === '' && !draws()) {
        showFieldError(fullName, texts().nameMissing);
        return null;
      }
      const signature = draws() ? drawn(tabs?.drawn() ?? null) : ({ kind: 'typed' } as const);
      const named = name === '' ? {} : { full_name: name };
      return signature && { ...named, signature, disclosure: element('page').dataset.disclosure ?? '' };
    },
    explainAtField: (code, sentence) => {
      if (code === 'invalid_full_name') showFieldError(fullName, sentence);
      else if (code === 'invalid_signature') element('signature-error').textContent = sentence;
      else return false;
      return true;
    },
  });

  element('start').addEventListener('click', () => {
    showDecision('sign');
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    element('sign-part').scrollIntoView({ block: 'start', behavior: isCalm ? 'instant' : 'smooth' });
    fullName.focus({ preventScroll: true });
  });
}

function drawn(picture: HTMLCanvasElement | null): SignatureInput | null {
  if (picture !== null) return { kind: 'drawn', png: pngOf(picture) };
  element('signature-error').textContent = texts().drawingMissing;
  element('draw-tab').focus();
  return null;
}
