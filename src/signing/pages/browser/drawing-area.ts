import type SignaturePad from 'signature_pad';
import { loadScript } from './load-script.ts';

/** An area for drawing a signature, on any page that has a canvas for it. */
export interface DrawingArea {
  /** Returns a transparent picture cropped to the drawing, or null if nothing is drawn. */
  picture(): HTMLCanvasElement | null;
  /** Replaces the drawing by one made elsewhere. */
  show(picture: HTMLCanvasElement): void;
  /** Adapts to the current size on the page. The drawing keeps its proportions. */
  resize(): void;
  clear(): void;
}

export interface DrawingAreaOptions {
  canvas: HTMLCanvasElement;
  /** The address of signature_pad. */
  padAddress: string;
  /** The earlier drawing, which is shown and returned until a new one is begun. */
  before: HTMLCanvasElement | null;
  /** A stroke begins. */
  onBegin(): void;
  /** A stroke ended. */
  onChange(): void;
}

/** Dark in both themes, because the signature goes onto a white page. */
const inkColour = '#14213d';
const paddingPx = 6;
/** The largest exported signature, in pixels. Printing needs far less. */
const exportedMax = { width: 1600, height: 1000 };

/** Creates a drawing area. Loads signature_pad only now, because most people type. */
export async function createDrawingArea(options: DrawingAreaOptions): Promise<DrawingArea> {
  const { canvas, padAddress, before } = options;
  const { default: Pad } = await loadScript<{ default: typeof SignaturePad }>(padAddress);
  // Every point counts: with fewer of them, a quick stroke loses its end.
  const pad = new Pad(canvas, { penColor: inkColour, minWidth: 0.8, maxWidth: 2.8, throttle: 0 });
  let size = { width: 0, height: 0 };
  let ratio = 2;
  /** The strokes before they were fitted to other sizes. Null once there is a new one, which is drawn in the current size. */
  let drawn: Drawn | null = null;
  let kept = before;

  const resize = () => {
    const { width, height } = canvas.getBoundingClientRect();
    const fresh = Math.max(devicePixelRatio, 2);
    if (width === 0 || (width === size.width && height === size.height && fresh === ratio)) return;
    drawn ??= { strokes: pad.toData(), ...size };
    size = { width, height };
    ratio = fresh;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.getContext('2d')?.scale(ratio, ratio);
    pad.fromData(fitted(drawn, width, height));
    if (kept) drawCentred(kept, canvas, ratio);
  };

  resize();
  new ResizeObserver(resize).observe(canvas);
  pad.addEventListener('beginStroke', () => {
    options.onBegin();
    if (kept) pad.clear();
    kept = null;
    drawn = null;
  });
  pad.addEventListener('endStroke', () => {
    drawn = null; // the area may have changed its size during the stroke
    options.onChange();
  });

  return {
    resize,
    show: (picture) => {
      pad.clear();
      kept = picture;
      drawn = null;
      size = { width: 0, height: 0 };
      resize();
    },
    clear: () => {
      pad.clear();
      kept = null;
      drawn = null;
    },
    picture: () => (pad.isEmpty() ? kept : cutToInk(canvas, pad.toData(), ratio)),
  };
}

type Strokes = ReturnType<SignaturePad['toData']>;

/** Strokes, with the size of the area in which they were drawn. */
interface Drawn {
  strokes: Strokes;
  width: number;
  height: number;
}

/** Returns the strokes as large as an area of another size shows them whole, in its middle. */
function fitted(drawn: Drawn, width: number, height: number): Strokes {
  const scale = Math.min(width / drawn.width, height / drawn.height);
  const [left, top] = [(width - drawn.width * scale) / 2, (height - drawn.height * scale) / 2];
  return drawn.strokes.map((stroke) => ({
    ...stroke,
    points: stroke.points.map((point) => ({ ...point, x: left + point.x * scale, y: top + point.y * scale })),
  }));
}

/** Draws a picture in the middle of the canvas, whose context is already scaled by `ratio`. */
function drawCentred(picture: HTMLCanvasElement, canvas: HTMLCanvasElement, ratio: number): void {
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  const scale = Math.min(1 / ratio, (width - 2 * paddingPx) / picture.width, (height - 2 * paddingPx) / picture.height);
  const [drawnWidth, drawnHeight] = [picture.width * scale, picture.height * scale];
  canvas
    .getContext('2d')
    ?.drawImage(picture, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight);
}

function cutToInk(canvas: HTMLCanvasElement, strokes: Strokes, ratio: number): HTMLCanvasElement | null {
  const points = strokes.flatMap((stroke) => stroke.points);
  const left = Math.max(0, Math.min(...points.map(({ x }) => x)) - paddingPx) * ratio;
  const top = Math.max(0, Math.min(...points.map(({ y }) => y)) - paddingPx) * ratio;
  const width = Math.min(canvas.width, (Math.max(...points.map(({ x }) => x)) + paddingPx) * ratio) - left;
  const height = Math.min(canvas.height, (Math.max(...points.map(({ y }) => y)) + paddingPx) * ratio) - top;
  if (!(width > 0 && height > 0)) return null;

  const scale = Math.min(1, exportedMax.width / width, exportedMax.height / height);
  const cut = document.createElement('canvas');
  cut.width = Math.ceil(width * scale);
  cut.height = Math.ceil(height * scale);
  cut.getContext('2d')?.drawImage(canvas, left, top, width, height, 0, 0, cut.width, cut.height);
  return cut;
}
