import type { PhoneDrawing, PhoneProgress } from '../script-contract.ts';
import type { Drawing } from './drawing.ts';
import { element, texts } from './elements.ts';
import { pictureFromPng } from './picture.ts';
import { type Answer, post } from './post.ts';

const betweenMs = 1_500;

/** Offers to draw on a phone: shows a code for its camera in place of the drawing area, until the drawing is here. */
export function setUpPhoneDrawing(prefix: string, drawing: Drawing): void {
  const [offer, code] = [element<HTMLButtonElement>(`${prefix}phone`), element(`${prefix}phone-code`)];
  const status = element(`${prefix}phone-status`);
  const error = element(`${prefix}signature-error`);
  let waiting: string | null = null;
  let isAsking = false;

  const close = (said: string) => {
    const hadFocus = code.contains(document.activeElement);
    waiting = null;
    code.hidden = true;
    element(`${prefix}draw-here`).hidden = false;
    status.textContent = said;
    if (hadFocus) offer.focus();
  };

  const look = async () => {
    const id = waiting;
    if (id === null) return;
    const progress = document.visibilityState === 'visible' ? await progressOf(id) : null;
    if (waiting !== id) return; // the person chose to draw here meanwhile
    if (progress?.state === 'drawn') {
      const picture = await pictureFromPng(progress.png);
      close(texts().phoneDrawn);
      drawing.show(picture);
    } else if (progress?.state === 'ended') {
      close(texts().phoneEnded);
    } else {
      if (progress?.state === 'opened') status.textContent = texts().phoneOpened;
      setTimeout(() => void look(), betweenMs);
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
    status.textContent = texts().phoneWaiting;
    element(`${prefix}phone-cancel`).focus();
    waiting = answer.drawing.id;
    setTimeout(() => void look(), betweenMs);
  };

  offer.hidden = false;
  offer.addEventListener('click', () => void open());
  element(`${prefix}phone-cancel`).addEventListener('click', () => close(''));
}

/** Null: no connection, which the next look may have. A session that has ended counts as an ended code. */
async function progressOf(id: string): Promise<PhoneProgress | null> {
  try {
    const response = await fetch(`${element('page').dataset.address}/phone-drawing/${id}`, { cache: 'no-store' });
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

function drawCode(image: HTMLElement, { qr: { size, path } }: PhoneDrawing): void {
  const modules = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  modules.setAttribute('d', path);
  image.setAttribute('viewBox', `0 0 ${size} ${size}`);
  image.replaceChildren(modules);
}
