import { createDrawing, type DrawingOptions } from './drawing.ts';
import { setUpPhoneDrawing } from './phone-drawing.ts';

export interface DrawTab {
  /** Returns the drawing. Null while it is empty, and while the page waits for a phone. */
  picture(): HTMLCanvasElement | null;
  /** Replaces the drawing. The page no longer waits for a phone. */
  show(picture: HTMLCanvasElement): void;
  resize(): void;
}

/** Creates the drawing area of a tab, with the offer to draw on a phone. `signature-tabs.ts` loads it when the tab is opened. */
export async function createDrawTab(options: DrawingOptions): Promise<DrawTab> {
  const drawing = await createDrawing(options);
  const phone = setUpPhoneDrawing(options.prefix, drawing);
  return {
    picture: () => (phone.isWaiting() ? null : drawing.picture()),
    show: (picture) => {
      phone.cancel();
      drawing.show(picture);
    },
    resize: drawing.resize,
  };
}
