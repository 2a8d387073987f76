import type { SignBody } from '../script-contract.ts';
import { element, fileTexts } from './elements.ts';
import { type Mark, type MarkValue, restored } from './mark.ts';
import { pngOf, setUpUpload, stampPicture } from './picture.ts';
import { recall, remember } from './tab-memory.ts';

/** Sets up the stamp, which is always a picture, and restores the one that was chosen in this tab. */
export function setUpStamp(onChange: () => void): Mark {
  const input = element<HTMLInputElement>('stamp-upload');
  const changed = () => {
    const picture = upload.picture();
    remember('stamp', picture && pngOf(picture));
    onChange();
  };
  const upload = setUpUpload('stamp-', changed, stampPicture);
  const value = (): MarkValue | null => {
    const picture = upload.picture();
    return picture && { kind: 'uploaded', picture };
  };
  void restored(recall<string>('stamp')).then((picture) => {
    if (picture === null || upload.picture() !== null) return;
    upload.show(picture);
    onChange();
  });
  const showError = (words: string) => {
    element('stamp-signature-error').textContent = words;
    input.focus();
  };
  return {
    kind: 'stamp',
    input,
    value,
    askForMissing: () => {
      if (value() !== null) return false;
      showError(fileTexts().stampMissing);
      return true;
    },
    showError,
    isChosen: () => value() !== null,
    setChosen: () => {},
    selected: () => 'upload',
    keep: () => {
      const before = upload.picture();
      return () => {
        if (before === null || before === upload.picture()) return;
        upload.show(before);
        changed();
      };
    },
  };
}

/** Returns the stamp as the API takes it. */
export function stampInput(value: MarkValue): SignBody['stamp'] {
  return value.kind === 'typed' ? undefined : { png: pngOf(value.picture) };
}
