import type { SavedOffer } from '../script-contract.ts';
import type { WrittenMark } from './mark.ts';

/** Loads `saved-marks.ts` on the page of a recipient who may save. Without it, people make their signature. */
export function offerSaved(marks: readonly WrittenMark[]): void {
  const offer = document.getElementById('saved-offer');
  if (offer === null) return;
  const { script, texts } = JSON.parse(offer.textContent ?? '') as SavedOffer;
  import(script).then(({ addSavedMarks }) => addSavedMarks(marks, texts)).catch(() => {});
}
