/** What the tests need of a browser, whatever its engine. Pointer and keyboard are the browser's own, not the page's. */
export interface Tab {
  open(url: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** Clicks in the middle of an element, which must be visible, like a person. */
  click(selector: string): Promise<void>;
  /** Types into an element, after clicking it. */
  type(selector: string, text: string): Promise<void>;
  /** Draws a stroke over the points, in pixels from the top left corner of an element. */
  draw(selector: string, points: ReadonlyArray<[number, number]>): Promise<void>;
  /** Works in a frame of the page, which may be of another site. */
  inFrame(selector: string, work: (frame: Pick<Tab, 'click' | 'type' | 'evaluate'>) => Promise<void>): Promise<void>;
  /** Returns the value of an expression in the page. A promise is awaited. */
  evaluate<Value>(expression: string): Promise<Value>;
}

export interface Engine {
  tab: Tab;
  close(): Promise<void>;
}

/** An expression that scrolls an element to the middle, as a person does, so that no sticky bar covers it. */
export const scrollToMiddle = (selector: string): string =>
  `document.querySelector(${JSON.stringify(selector)})?.scrollIntoView({ block: 'center', behavior: 'instant' })`;

export type ColorScheme = 'light' | 'dark';
