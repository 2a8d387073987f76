import type { Action, RefusalCode } from '../script-contract.ts';
import { element, texts } from './elements.ts';
import { tellSite } from './embedding.ts';
import { keepEntered } from './language-menu.ts';
import { showOutcome } from './outcome.ts';
import { type Answer, type Done, post } from './post.ts';

export interface Submission {
  action: Action;
  /** The button that sends the form. */
  button: HTMLButtonElement;
  /** The alert region next to the button, which explains failures. */
  problem: HTMLElement;
  /** The announcement for screen readers while the request runs. */
  sending: string;
  /** Returns the request body. Null if a field must be corrected first, after showing why. */
  body(): object | null;
  /** Shows the error at its field. `param`: the mark or field that the server named. Returns false if the code concerns no field of this form. */
  explainAtField?(code: RefusalCode, text: string, param?: string): boolean;
  /** Called instead of reloading the page. */
  done?(answer: Done): void;
}

/** What the site around a frame is told after an action. */
const eventOf: Partial<Record<Action, 'signed' | 'declined'>> = { sign: 'signed', decline: 'declined' };

/**
 * Sends a form when its button is clicked, one request at a time. A failure keeps what was entered. Returns the function
 * that the button calls.
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
    // The button stays unchanged while the page reloads.
    if (answer.kind === 'done' && submission.done === undefined) {
      const event = eventOf[submission.action];
      if (event !== undefined) tellSite(event, answer.state);
      return showOutcome();
    }
    showSending(submission, false);
    isSending = false;
    if (answer.kind === 'done') submission.done?.(answer);
    else explain(answer, submission, submit);
  };

  submission.button.addEventListener('click', () => void submit());
  return () => void submit();
}

function showSending({ button, sending }: Submission, isSending: boolean): void {
  // `disabled` would lose the keyboard focus.
  button.setAttribute('aria-disabled', String(isSending));
  element('progress').textContent = isSending ? sending : '';
}

/** Codes after which this page can send nothing more. A reload shows the current state. */
export const isSettled: Partial<Record<RefusalCode, true>> = {
  already_signed: true,
  already_declined: true,
  document_voided: true,
  document_declined: true,
  document_expired: true,
  document_completed: true,
  not_your_turn: true,
  link_unknown: true,
  page_moved: true,
  verification_required: true,
};

interface WayOn {
  label: string;
  act: () => unknown;
}

/** Shows what went wrong in the form's alert region, with a button that retries or shows the current state. */
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
  } else if (!submission.explainAtField?.(answer.code, text.refusals[answer.code], answer.param)) {
    showProblem(problem, text.refusals[answer.code], wayOnFrom(answer.code, retry));
  }
}

/** Returns the button to offer. A preview offers none. */
function wayOnFrom(code: RefusalCode, retry: WayOn): WayOn | null {
  if (code === 'preview_only') return null;
  if (!isSettled[code]) return retry;
  const showStatus = () => {
    keepEntered(); // the document may open again, after a code
    showOutcome();
  };
  return { label: texts().showStatus, act: showStatus };
}

/** Returns for example `in 12 minutes`, in the page's language. */
function inMinutes(seconds: number): string {
  return new Intl.RelativeTimeFormat(document.documentElement.lang).format(Math.ceil(seconds / 60), 'minute');
}

/** Shows a problem. `wayOn`: a button below the sentence, or null. */
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
