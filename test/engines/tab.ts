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
  /** Returns the value of an expression in the page. A promise is awaited. */
  evaluate<Value>(expression: string): Promise<Value>;
}

export interface Engine {
  tab: Tab;
  close(): Promise<void>;
}

export type ColorScheme = 'light' | 'dark';
