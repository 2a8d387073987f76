import { element, texts } from './elements.ts';

/** Within the limit of the service, 200 KiB. Its limit of 2000 × 1000 pixels is more than printing needs. */
const base64LengthMax = 260_000;

/** How the picture of a mark is made from a file. `lightOf`: the brightness of a pixel, from 0 to 1. */
export interface PictureKind {
  widthMax: number;
  heightMax: number;
  lightOf(red: number, green: number, blue: number): number;
}

/** Ink of any colour counts by its darkness. */
const writing: PictureKind = {
  ...{ widthMax: 1000, heightMax: 400 },
  lightOf: (red, green, blue) => (0.299 * red + 0.587 * green + 0.114 * blue) / 255,
};

/** A stamp keeps its colours: a pixel is only as bright as its darkest colour, so that yellow isn't taken for the background. */
export const stampPicture: PictureKind = {
  ...{ widthMax: 600, heightMax: 600 },
  lightOf: (red, green, blue) => Math.min(red, green, blue) / 255,
};

/** Reads an image file. Throws if the browser can't read it, and if only background remains of it. */
export async function pictureFromFile(file: Blob, kind: PictureKind = writing): Promise<HTMLCanvasElement> {
  const image = await createImageBitmap(file);
  return withoutBackground(fitted(image, kind.widthMax, kind.heightMax), kind);
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
/** Nobody sees a picture whose pixels are all less opaque. */
const opacityMin = 12;

/** Makes light pixels transparent, so that a photo doesn't cover the line below it. */
function withoutBackground(canvas: HTMLCanvasElement, { lightOf }: PictureKind): HTMLCanvasElement {
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = pixels;
  let isBlank = true;
  for (let at = 0; at < data.length; at += 4) {
    const light = lightOf(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
    const share = Math.min(1, Math.max(0, (backgroundFrom - light) / (backgroundFrom - inkUpTo)));
    data[at + 3] = (data[at + 3] ?? 0) * share;
    isBlank &&= (data[at + 3] ?? 0) < opacityMin;
  }
  if (isBlank) throw new Error('the picture is blank');
  context.putImageData(pixels, 0, 0);
  return canvas;
}

export interface Upload {
  picture(): HTMLCanvasElement | null;
  show(picture: HTMLCanvasElement): void;
}

/** Sets up the panel for choosing an image. The image is read in the browser and sent only when the person signs. */
export function setUpUpload(prefix: string, onChange: () => void, kind = writing): Upload {
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
      show(await pictureFromFile(file, kind));
    } catch {
      error.textContent = texts().uploadUnreadable;
    }
    onChange();
  });
  return { picture: () => chosen, show };
}
