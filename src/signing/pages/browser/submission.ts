import type { RefusalCode } from '../script-contract.ts';
import { element, texts } from './elements.ts';
import { type Answer, post } from './post.ts';
import { showOutcome } from './show-outcome.ts';

export interface Submission {
  action: 'sign' | 'decline';
  /** The button that sends it. */
  button: HTMLButtonElement;
  /** Where a failure is explained: an alert region beside the button. */
  problem: HTMLElement;
  /** Checks the fields; null when one of them has to be put right first, which it has then said. */
  body(): object | null;
  /** Says at the field itself what is wrong; false when the code concerns no field of this form. */
  explainAtField(code: RefusalCode, text: string): boolean;
}

/** Sends a form on the click of its button: one request at a time, and whatever goes wrong keeps what was entered. */
export function onSubmission(submission: Submission): void {
  let isSending = false;

  const submit = async () => {
    if (isSending) return;
    submission.problem.replaceChildren();
    const body = submission.body();
    if (body === null) return;
    isSending = true;
    showSending(submission.button, true);
    const answer = await post(submission.action, body);
    if (answer.kind === 'done') return showOutcome();
    showSending(submission.button, false);
    isSending = false;
    explain(answer, submission, submit);
  };

  submission.button.addEventListener('click', () => void submit());
}

function showSending(button: HTMLButtonElement, isSending: boolean): void {
  // Not `disabled`: that would drop the keyboard focus.
  button.setAttribute('aria-disabled', String(isSending));
  element('progress').textContent = isSending ? texts().recording : '';
}

/** Codes after which nothing can be sent from this page any more: the server knows better what to show. */
const isSettled: Partial<Record<RefusalCode, true>> = {
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

interface Problem {
  sentence: string;
  /** The way on: a button below the sentence. */
  label: string;
  act: () => unknown;
}

function explain(answer: Exclude<Answer, { kind: 'done' }>, submission: Submission, submit: () => Promise<void>): void {
  const text = texts();
  const retry = { label: text.tryAgain, act: submit };
  if (answer.kind === 'unreachable') {
    showProblem(submission.problem, { sentence: text.connectionFailed, ...retry });
  } else if (answer.code === null) {
    showProblem(submission.problem, { sentence: text.somethingFailed, ...retry });
  } else if (!submission.explainAtField(answer.code, text.refusals[answer.code])) {
    const wayOn = isSettled[answer.code] ? { label: text.showStatus, act: showOutcome } : retry;
    showProblem(submission.problem, { sentence: text.refusals[answer.code], ...wayOn });
  }
}

function showProblem(region: HTMLElement, problem: Problem): void {
  const paragraph = document.createElement('p');
  paragraph.textContent = problem.sentence;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button button-small';
  button.textContent = problem.label;
  button.addEventListener('click', () => problem.act());
  region.replaceChildren(paragraph, button);
  region.scrollIntoView({ block: 'nearest' });
}
