import { createDrawingArea, type DrawingArea } from './drawing-area.ts';
import { element, texts } from './elements.ts';

export type Drawing = Omit<DrawingArea, 'clear'>;

export interface DrawingOptions {
  /** Prefix of each id. */
  prefix: string;
  /** The earlier drawing, which is shown and returned until a new one is begun. */
  before: HTMLCanvasElement | null;
  onChange(): void;
}

/** Creates the drawing area of a signing page, with its button and its error. */
export async function createDrawing({ prefix, before, onChange }: DrawingOptions): Promise<Drawing> {
  const error = element(`${prefix}signature-error`);
  const forgetError = () => {
    error.textContent = '';
  };
  const area = await createDrawingArea({
    canvas: element<HTMLCanvasElement>(`${prefix}drawing`),
    padAddress: element('page').dataset.signaturePad ?? '',
    before,
    onBegin: forgetError,
    onChange,
  });
  element(`${prefix}clear`).addEventListener('click', () => {
    area.clear();
    forgetError();
    element('progress').textContent = texts().drawingCleared;
    onChange();
  });
  return {
    ...area,
    show: (picture) => {
      forgetError();
      area.show(picture);
      onChange();
    },
  };
}
