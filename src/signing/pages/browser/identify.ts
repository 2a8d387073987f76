import type { VerifyBody } from '../script-contract.ts';
import { clearFieldError, element, showFieldError, texts } from './elements.ts';
import { isFramed } from './embedding.ts';
import { showOutcome } from './outcome.ts';
import { type Done, post } from './post.ts';
import { onSubmission } from './submission.ts';

/** Sets up requesting and entering a code. Enter in the field submits the code, which signs nothing. */
export function setUpVerification(): void {
  const code = element<HTMLInputElement>('code');
  const status = element('code-status');
  const send = element<HTMLButtonElement>('send-code');
  const verify = element<HTMLButtonElement>('verify');
  const page = crypto.getRandomValues(new Uint32Array(8)).join('-');

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
      if (code.value.trim() !== '') return { code: code.value, page, ...(isFramed() && { framed: true }) };
      showFieldError(code, texts().codeMissing);
      return null;
    },
    done: () => void openVerified(),
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

/**
 * Shows the document. Says so if the browser didn't keep the cookie, because the page would only ask for a code again. In a frame it
 * offers a tab.
 */
async function openVerified(): Promise<void> {
  const answer = await post('viewed', {});
  if (answer.kind !== 'done' || answer.state !== 'needs_code') return showOutcome();
  element('own-tab').hidden = !isFramed();
  element('cookie-lost').hidden = false;
}

function sentenceOf({ code }: Done): string {
  return code === undefined ? texts().codeSent : texts().codeShown.replace('{code}', code);
}

/**
 * Opens the document if this browser is already verified. A browser that followed a link from another site, such as web
 * mail, sends its cookie only with the page's own requests. Another tab may also have been verified.
 */
async function openIfVerified(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  const answer = await post('viewed', {});
  if (answer.kind === 'done' && answer.state !== 'needs_code' && !hasJustLoadedForIt()) showOutcome();
}

const loadedForItKey = 'countersign-opened';

/** Whether the page has just reloaded for this reason. Prevents endless reloads if it is locked again. */
function hasJustLoadedForIt(): boolean {
  try {
    const last = Number(sessionStorage.getItem(loadedForItKey) ?? 0);
    sessionStorage.setItem(loadedForItKey, String(Date.now()));
    return Date.now() - last < 5_000;
  } catch {
    return true; // Storage is disabled, so nothing tells.
  }
}

/** Requests a sign-in link. It comes by e-mail, and this tab opens the document after the sign-in. In test mode it opens at once. */
export function setUpAccount(): void {
  const send = document.getElementById('send-link');
  if (!(send instanceof HTMLButtonElement)) return; // the recipient has no e-mail address
  onSubmission({
    action: 'account',
    button: send,
    problem: element('link-problem'),
    sending: texts().linkSending,
    body: () => {
      element('link-status').textContent = '';
      return isFramed() ? { framed: true } : {};
    },
    done: ({ state }) => {
      if (state !== 'needs_account') showOutcome();
      else element('link-status').textContent = texts().linkSent;
    },
  });
  document.addEventListener('visibilitychange', () => void openIfSignedIn());
}

/** Opens the document if the link was opened in another tab. */
async function openIfSignedIn(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  const answer = await post('viewed', {});
  if (answer.kind === 'done' && answer.state !== 'needs_account') showOutcome();
}

/** Shows the document, and reports it as viewed, once the recipient has taken the device. */
export function setUpHandOver(): void {
  onSubmission({
    action: 'viewed',
    button: element<HTMLButtonElement>('begin'),
    problem: element('begin-problem'),
    sending: texts().recording,
    body: () => ({}),
  });
}
