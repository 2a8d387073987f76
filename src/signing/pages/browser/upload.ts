import { element, fileTexts } from './elements.ts';
import { copyOf, pictureFromFile } from './picture.ts';

export interface Upload {
  picture(): HTMLCanvasElement | null;
  show(picture: HTMLCanvasElement): void;
}

/** Sets up the panel for choosing an image. The image is read in the browser and sent only when the person signs. */
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
