import { element, texts } from './elements.ts';
import { post } from './post.ts';
import { showOutcome } from './show-outcome.ts';
import { onSubmission } from './submission.ts';

/** Asking for a sign-in link. In test mode the document opens at once; else the link comes by e-mail, and this tab follows. */
export function setUpAccount(): void {
  const send = document.getElementById('send-link');
  if (!(send instanceof HTMLButtonElement)) return; // there is no address to send one to
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

/** Another tab, where the link was opened, may have signed in meanwhile. */
async function openIfSignedIn(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  const answer = await post('viewed', {});
  if (answer.kind === 'done' && answer.state !== 'needs_account') showOutcome();
}
