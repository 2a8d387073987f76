import type { Action, RefusalCode } from '../script-contract.ts';
import { element, texts } from './elements.ts';
import { type Answer, type Done, post } from './post.ts';
import { showOutcome } from './show-outcome.ts';

export interface Submission {
  action: Action;
  /** The button that sends it. */
  button: HTMLButtonElement;
  /** Where a failure is explained: an alert region beside the button. */
  problem: HTMLElement;
  /** Said to screen readers while the answer is awaited. */
  sending: string;
  /** Checks the fields; null when one of them has to be put right first, which it has then said. */
  body(): object | null;
  /** Says at the field itself what is wrong; false when the code concerns no field of this form. */
  explainAtField?(code: RefusalCode, text: string): boolean;
  /** Instead of loading the page anew. */
  done?(answer: Done): void;
}

/**
 * Sends a form on the click of its button: one request at a time, and whatever goes wrong keeps what was entered.
 * Returns what the button does.
 */
export function onSubmission(submission: Submission): () => void {
  let isSending = false;

  const submit = async () => {
    if (isSending) return;
    submission.problem.replaceChildren();
    const body = submission.body();
    if (body === null) return;
    isSending = true;
    showSending(submission, true);
    const answer = await post(submission.action, body);
    // While the page loads anew, its button stays as it is.
    if (answer.kind === 'done' && submission.done === undefined) return showOutcome();
    showSending(submission, false);
    isSending = false;
    if (answer.kind === 'done') submission.done?.(answer);
    else explain(answer, submission, submit);
  };

  submission.button.addEventListener('click', () => void submit());
  return () => void submit();
}

function showSending({ button, sending }: Submission, isSending: boolean): void {
  // Not `disabled`: that would drop the keyboard focus.
  button.setAttribute('aria-disabled', String(isSending));
  element('progress').textContent = isSending ? sending : '';
}

/** Codes after which nothing can be sent from this page any more: the server knows better what to show. */
export const isSettled: Partial<Record<RefusalCode, true>> = {
  already_signed: true,
  already_declined: true,
  document_voided: true,
  document_declined: true,
  document_expired: true,
  document_completed: true,
  not_your_turn: true,
  link_unknown: true,
  verification_required: true,
};

interface WayOn {
  label: string;
  act: () => unknown;
}

/** Says in the submission's own region what went wrong, with a button that leads on: `submit` again, or to the state. */
export function explain(
  answer: Exclude<Answer, Done>,
  submission: Pick<Submission, 'problem' | 'explainAtField'>,
  submit: () => unknown,
): void {
  const text = texts();
  const { problem } = submission;
  const retry = { label: text.tryAgain, act: submit };
  if (answer.kind === 'unreachable') {
    showProblem(problem, text.connectionFailed, retry);
  } else if (answer.code === null) {
    showProblem(problem, text.somethingFailed, retry);
  } else if (answer.code === 'too_many_codes' && answer.retryAfterSeconds !== null) {
    showProblem(problem, text.codeNext.replace('{when}', inMinutes(answer.retryAfterSeconds)), null);
  } else if (answer.code === 'too_many_links' && answer.retryAfterSeconds !== null) {
    showProblem(problem, text.linkNext.replace('{when}', inMinutes(answer.retryAfterSeconds)), null);
  } else if (!submission.explainAtField?.(answer.code, text.refusals[answer.code])) {
    showProblem(problem, text.refusals[answer.code], wayOnFrom(answer.code, retry));
  }
}

/** In a preview there is nothing to try again. */
function wayOnFrom(code: RefusalCode, retry: WayOn): WayOn | null {
  if (code === 'preview_only') return null;
  return isSettled[code] ? { label: texts().showStatus, act: showOutcome } : retry;
}

/** `in 12 minutes`, in the page's language. */
function inMinutes(seconds: number): string {
  return new Intl.RelativeTimeFormat(document.documentElement.lang).format(Math.ceil(seconds / 60), 'minute');
}

/** `wayOn`: a button below the sentence, where one leads anywhere. */
function showProblem(region: HTMLElement, sentence: string, wayOn: WayOn | null): void {
  const paragraph = document.createElement('p');
  paragraph.textContent = sentence;
  region.replaceChildren(paragraph);
  if (wayOn !== null) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button button-small';
    button.textContent = wayOn.label;
    button.addEventListener('click', () => wayOn.act());
    region.append(button);
  }
  region.scrollIntoView({ block: 'nearest' });
}
