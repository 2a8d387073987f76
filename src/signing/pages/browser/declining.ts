import type { DeclineBody } from '../script-contract.ts';
import { clearFieldError, element, showFieldError, texts } from './elements.ts';
import { onSubmission } from './submission.ts';

/** Sets up `Decline`, which opens the form for the reason. */
export function setUpDeclining(): void {
  const reason = element<HTMLTextAreaElement>('reason');

  element('decline').addEventListener('click', () => {
    showDecision('decline');
    element('decline-part').scrollIntoView({ block: 'nearest' });
    reason.focus();
  });
  element('cancel').addEventListener('click', () => {
    showDecision('sign');
    element('decline').focus();
  });
  reason.addEventListener('input', () => clearFieldError(reason));
  element('decline-form').addEventListener('submit', (event) => event.preventDefault());

  onSubmission({
    action: 'decline',
    button: element<HTMLButtonElement>('decline-to-sign'),
    problem: element('decline-problem'),
    sending: texts().recording,
    body: (): DeclineBody | null => {
      const words = reason.value.trim();
      if (words !== '') return { reason: words };
      showFieldError(reason, texts().reasonMissing);
      return null;
    },
    explainAtField: (code, sentence) => {
      if (code !== 'invalid_reason') return false;
      showFieldError(reason, sentence);
      return true;
    },
  });
}

/** Shows the form for signing or the one for declining, and hides the other. */
export function showDecision(decision: 'sign' | 'decline'): void {
  element('sign-part').hidden = decision !== 'sign';
  element('decline-part').hidden = decision !== 'decline';
  const actionBar = document.getElementById('action-bar'); // pages with a file only
  if (actionBar) actionBar.hidden = decision !== 'sign';
}
