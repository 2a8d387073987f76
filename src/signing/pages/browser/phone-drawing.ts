import type { PhoneProgress, RequestedDrawing } from '../script-contract.ts';
import type { Drawing } from './drawing.ts';
import { element, texts } from './elements.ts';
import { pictureFromPng } from './picture.ts';
import { type Answer, post } from './post.ts';

const betweenMs = 1_500;
/** Between tries without an answer. */
const betweenFailuresMs = 5_000;
const answerWithinMs = 20_000;

export interface PhoneDrawing {
  /** Whether the page waits for a phone, so that what was drawn here before doesn't count. */
  isWaiting(): boolean;
  cancel(): void;
}

/** Offers to draw on a phone: shows a code for its camera in place of the drawing area, until the drawing is here. */
export function setUpPhoneDrawing(prefix: string, drawing: Drawing): PhoneDrawing {
  const [offer, code] = [element<HTMLButtonElement>(`${prefix}phone`), element(`${prefix}phone-code`)];
  const status = element(`${prefix}phone-status`);
  const error = element(`${prefix}signature-error`);
  let waiting: string | null = null;
  let timer = 0;
  let isAsking = false;

  const close = (said: string) => {
    const hadFocus = code.contains(document.activeElement);
    waiting = null;
    clearTimeout(timer);
    code.hidden = true;
    element(`${prefix}draw-here`).hidden = false;
    status.textContent = said;
    if (hadFocus) offer.focus();
  };

  const say = (sentence: string) => {
    if (status.textContent !== sentence) status.textContent = sentence;
  };
  const lookLater = (afterMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), afterMs);
  };
  const look = async () => {
    const id = waiting;
    if (id === null || document.visibilityState !== 'visible') return; // looks again when the page is seen
    const progress = await progressOf(id);
    if (waiting !== id) return; // the person chose to draw here meanwhile
    if (progress?.state === 'drawn') {
      const picture = await pictureFromPng(progress.png).catch(() => null);
      close(picture === null ? texts().phoneEnded : texts().phoneDrawn);
      if (picture !== null) drawing.show(picture);
    } else if (progress?.state === 'ended') {
      close(texts().phoneEnded);
    } else {
      if (progress?.state === 'opened') say(texts().phoneOpened);
      lookLater(progress === null ? betweenFailuresMs : betweenMs);
    }
  };

  const open = async () => {
    if (isAsking) return;
    isAsking = true;
    error.textContent = '';
    const answer = await post('phone-drawing', { mark: prefix === '' ? 'signature' : 'initials' });
    isAsking = false;
    if (answer.kind !== 'done' || answer.drawing === undefined) {
      error.textContent = sentenceOf(answer);
      return;
    }
    drawCode(element(`${prefix}phone-qr`), answer.drawing);
    element(`${prefix}draw-here`).hidden = true;
    code.hidden = false;
    say(texts().phoneWaiting);
    element(`${prefix}phone-cancel`).focus();
    waiting = answer.drawing.id;
    lookLater(betweenMs);
  };

  offer.hidden = false;
  offer.addEventListener('click', () => void open());
  const cancel = () => close('');
  element(`${prefix}phone-cancel`).addEventListener('click', cancel);
  document.addEventListener('visibilitychange', () => lookLater(0));
  return { isWaiting: () => waiting !== null, cancel };
}

/** Null: no connection, which the next look may have. A session that has ended counts as an ended code. */
async function progressOf(id: string): Promise<PhoneProgress | null> {
  try {
    const response = await fetch(`${element('page').dataset.address}/phone-drawing/${id}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    if (response.status >= 500 || response.status === 429) return null;
    return response.ok ? ((await response.json()) as PhoneProgress) : { state: 'ended' };
  } catch {
    return null;
  }
}

function sentenceOf(answer: Answer): string {
  if (answer.kind === 'unreachable') return texts().connectionFailed;
  if (answer.kind === 'refused' && answer.code !== null) return texts().refusals[answer.code];
  return texts().somethingFailed;
}

function drawCode(image: HTMLElement, { qr: { size, path } }: RequestedDrawing): void {
  const modules = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  modules.setAttribute('d', path);
  image.setAttribute('viewBox', `0 0 ${size} ${size}`);
  image.replaceChildren(modules);
}
