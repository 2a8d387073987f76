import type { VerifyBody } from '../script-contract.ts';
import { element, texts } from './elements.ts';
import { clearFieldError, showFieldError } from './field-error.ts';
import { type Done, post } from './post.ts';
import { showOutcome } from './show-outcome.ts';
import { onSubmission } from './submission.ts';

/** Asking for a code and giving it back. Enter in the field verifies: there is nothing that it would sign. */
export function setUpVerification(): void {
  const code = element<HTMLInputElement>('code');
  const status = element('code-status');
  const send = element<HTMLButtonElement>('send-code');
  const verify = element<HTMLButtonElement>('verify');

  onSubmission({
    action: 'code',
    button: send,
    problem: element('send-problem'),
    sending: texts().codeSending,
    body: () => {
      status.textContent = '';
      return {};
    },
    done: (answer) => {
      if (answer.state !== 'needs_code') return showOutcome();
      status.textContent = sentenceOf(answer);
      send.classList.remove('button-primary');
      verify.classList.add('button-primary');
      code.value = '';
      clearFieldError(code);
      code.focus();
    },
  });

  const submit = onSubmission({
    action: 'verify',
    button: verify,
    problem: element('verify-problem'),
    sending: texts().codeChecking,
    body: (): VerifyBody | null => {
      if (code.value.trim() !== '') return { code: code.value };
      showFieldError(code, texts().codeMissing);
      return null;
    },
    explainAtField: (refusal, sentence) => {
      if (refusal !== 'invalid_code') return false;
      showFieldError(code, sentence);
      code.select();
      return true;
    },
  });
  element('code-form').addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  code.addEventListener('input', () => clearFieldError(code));
  void openIfVerified();
  document.addEventListener('visibilitychange', () => void openIfVerified());
}

function sentenceOf({ code }: Done): string {
  return code === undefined ? texts().codeSent : texts().codeShown.replace('{code}', code);
}

/**
 * A browser that followed a link from elsewhere, a mail program on the web say, withheld its cookie; a request of the
 * page itself brings it. And another tab may have been verified meanwhile.
 */
async function openIfVerified(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  const answer = await post('viewed', {});
  if (answer.kind === 'done' && answer.state !== 'needs_code' && !hasJustLoadedForIt()) showOutcome();
}

const loadedForItKey = 'countersign-opened';

/** A page that loads locked once more, although the browser has the cookie, shall not load for ever. */
function hasJustLoadedForIt(): boolean {
  const last = Number(sessionStorage.getItem(loadedForItKey) ?? 0);
  sessionStorage.setItem(loadedForItKey, String(Date.now()));
  return Date.now() - last < 5_000;
}
