import { element, texts } from './elements.ts';
import { post } from './post.ts';
import { showOutcome } from './show-outcome.ts';
import { onSubmission } from './submission.ts';

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
      return {};
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
