import { element, fileTexts } from './elements.ts';
import { copyOf, pictureFromFile } from './picture.ts';

export interface Upload {
  picture(): HTMLCanvasElement | null;
  show(picture: HTMLCanvasElement): void;
}

/** The panel in which an image is chosen. It is read here; nothing leaves the device before one signs. */
export function setUpUpload(prefix: string, onChange: () => void): Upload {
  const input = element<HTMLInputElement>(`${prefix}upload`);
  const error = element(`${prefix}signature-error`);
  let chosen: HTMLCanvasElement | null = null;

  const show = (picture: HTMLCanvasElement) => {
    chosen = picture;
    element(`${prefix}uploaded`).replaceChildren(copyOf(picture));
  };
  input.addEventListener('change', async () => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    error.textContent = '';
    try {
      show(await pictureFromFile(file));
    } catch {
      error.textContent = fileTexts().uploadUnreadable;
    }
    onChange();
  });
  return { picture: () => chosen, show };
}
