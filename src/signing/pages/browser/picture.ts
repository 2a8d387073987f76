import { element, texts } from './elements.ts';

/** Within the limits of the service (2000 × 1000 pixels and 200 KiB), and more than printing needs. */
const widthMax = 1000;
const heightMax = 400;
const base64LengthMax = 260_000;

/** Reads an image file. Throws if the browser can't read it. */
export async function pictureFromFile(file: Blob): Promise<HTMLCanvasElement> {
  const image = await createImageBitmap(file);
  return withoutBackground(fitted(image, widthMax, heightMax));
}

/** Returns a picture as a PNG in base64, smaller if it would be too large to send. */
export function pngOf(picture: HTMLCanvasElement): string {
  let fitting = picture;
  let address = fitting.toDataURL('image/png');
  while (address.length > base64LengthMax) {
    fitting = fitted(fitting, fitting.width * 0.8, fitting.height * 0.8);
    address = fitting.toDataURL('image/png');
  }
  return address.split(',')[1] ?? '';
}

export async function pictureFromPng(base64: string): Promise<HTMLCanvasElement> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  return fitted(image, image.width, image.height);
}

/** Copies a picture, because a canvas can be in one place only. */
export function copyOf(picture: HTMLCanvasElement): HTMLCanvasElement {
  return fitted(picture, picture.width, picture.height);
}

function fitted(image: ImageBitmap | HTMLCanvasElement, width: number, height: number): HTMLCanvasElement {
  const scale = Math.min(1, width / image.width, height / image.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Brightness from which a pixel is background. Below `inkUpTo` it is ink, and between them it fades. */
const backgroundFrom = 0.82;
const inkUpTo = 0.55;

/** Makes light pixels transparent, so that a photo doesn't cover the line below it. */
function withoutBackground(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = pixels;
  for (let at = 0; at < data.length; at += 4) {
    const light = (0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)) / 255;
    const share = Math.min(1, Math.max(0, (backgroundFrom - light) / (backgroundFrom - inkUpTo)));
    data[at + 3] = (data[at + 3] ?? 0) * share;
  }
  context.putImageData(pixels, 0, 0);
  return canvas;
}

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
      error.textContent = texts().uploadUnreadable;
    }
    onChange();
  });
  return { picture: () => chosen, show };
}
