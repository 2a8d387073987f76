import type SignaturePad from 'signature_pad';
import { element, texts } from './elements.ts';

export interface Drawing {
  /** Base64 of a transparent PNG cut to the ink, or null when nothing is drawn. */
  png(): string | null;
  /** Takes on the size the page gives it now; what is drawn keeps its shape. */
  resize(): void;
}

/** Dark on every screen: the signature goes onto white paper. */
const inkColour = '#14213d';
const paddingPx = 6;
/** An exported signature is at most this wide or high, far beyond what is printed. */
const exportedPxMax = 1600;

/** Loads signature_pad, on first use: most people type. */
export async function createDrawing(): Promise<Drawing> {
  const canvas = element<HTMLCanvasElement>('drawing');
  const Pad = await loadSignaturePad();
  const pad = new Pad(canvas, { penColor: inkColour, minWidth: 0.8, maxWidth: 2.8 });
  let fittedWidth = 0;

  const resize = () => {
    const { width, height } = canvas.getBoundingClientRect();
    const ratio = Math.max(devicePixelRatio, 2);
    if (width === 0 || (width === fittedWidth && canvas.width === Math.round(width * ratio))) return;
    const strokes = scaled(pad.toData(), fittedWidth === 0 ? 1 : width / fittedWidth);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.getContext('2d')?.scale(ratio, ratio);
    pad.fromData(strokes);
    fittedWidth = width;
  };

  resize();
  new ResizeObserver(resize).observe(canvas);
  pad.addEventListener('beginStroke', () => {
    element('signature-error').textContent = '';
  });
  element('clear').addEventListener('click', () => {
    pad.clear();
    element('signature-error').textContent = '';
    element('progress').textContent = texts().drawingCleared;
  });

  return { resize, png: () => (pad.isEmpty() ? null : cutToInk(canvas, pad.toData(), canvas.width / fittedWidth)) };
}

async function loadSignaturePad(): Promise<typeof SignaturePad> {
  const address = element('page').dataset.signaturePad ?? '';
  const loaded = (await import(address)) as { default: typeof SignaturePad };
  return loaded.default;
}

type Strokes = ReturnType<SignaturePad['toData']>;

function scaled(strokes: Strokes, factor: number): Strokes {
  return strokes.map((stroke) => ({
    ...stroke,
    points: stroke.points.map((point) => ({ ...point, x: point.x * factor, y: point.y * factor })),
  }));
}

function cutToInk(canvas: HTMLCanvasElement, strokes: Strokes, ratio: number): string | null {
  const points = strokes.flatMap((stroke) => stroke.points);
  const left = Math.max(0, Math.min(...points.map(({ x }) => x)) - paddingPx) * ratio;
  const top = Math.max(0, Math.min(...points.map(({ y }) => y)) - paddingPx) * ratio;
  const width = Math.min(canvas.width, (Math.max(...points.map(({ x }) => x)) + paddingPx) * ratio) - left;
  const height = Math.min(canvas.height, (Math.max(...points.map(({ y }) => y)) + paddingPx) * ratio) - top;
  if (!(width > 0 && height > 0)) return null;

  const scale = Math.min(1, exportedPxMax / Math.max(width, height));
  const cut = document.createElement('canvas');
  cut.width = Math.ceil(width * scale);
  cut.height = Math.ceil(height * scale);
  cut.getContext('2d')?.drawImage(canvas, left, top, width, height, 0, 0, cut.width, cut.height);
  return cut.toDataURL('image/png').split(',')[1] ?? null;
}
