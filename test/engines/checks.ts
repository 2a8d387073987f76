import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'vitest';
import { startFirefox } from './firefox.ts';
import type { ColorScheme, Engine, Tab } from './tab.ts';
import { startWebkit } from './webkit.ts';

/** Starts a browser. */
export type Start = (colorScheme: ColorScheme) => Promise<Engine>;

/** The engines of Firefox and of Safari. The other browser tests use Chromium. */
export const engines: Array<[string, Start]> = [
  ['Firefox', startFirefox],
  ['WebKit', startWebkit],
];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const phone = { width: 390, height: 844 };
export const desk = { width: 1280, height: 900 };

export const stroke = Array.from({ length: 14 }, (_, step): [number, number] => [40 + step * 10, 40 + (step % 3) * 9]);

/** The width of what is drawn on the canvas, in pixels of the page. The stroke above is 130 wide, and its end may be left out. */
export const inkWidth = `(canvas => {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const columns = Array.from({ length: width }, (_, x) => x).filter(x => {
    for (let y = 0; y < height; y++) if (data[4 * (y * width + x) + 3] > 0) return true;
  });
  return (columns.at(-1) - columns[0]) * canvas.clientWidth / width;
})(document.querySelector('#drawing'))`;

export async function withTab(
  start: Start,
  colorScheme: ColorScheme,
  work: (tab: Tab) => Promise<void>,
): Promise<void> {
  const engine = await start(colorScheme);
  try {
    await work(engine.tab);
  } finally {
    await engine.close();
  }
}

/** Waits until an element is there and takes up room. */
export async function untilShown(tab: Tab, selector: string): Promise<void> {
  await untilTrue(tab, `(document.querySelector(${JSON.stringify(selector)})?.getClientRects().length ?? 0) > 0`);
}

export async function untilTrue(tab: Pick<Tab, 'evaluate'>, expression: string): Promise<void> {
  await expect.poll(() => tab.evaluate<boolean>(expression), { message: expression }).toBe(true);
}

/** Returns what axe finds in the state that is shown, each with the elements. */
export async function faultsOf(tab: Tab): Promise<string[]> {
  await tab.evaluate(`(() => { ${axe} })()`);
  await tab.evaluate(
    `void axe.run().then(({ violations }) => { window.axeFaults = violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')); })`,
  );
  await untilTrue(tab, 'window.axeFaults !== undefined');
  return tab.evaluate<string[]>('(({ axeFaults }) => { delete window.axeFaults; return axeFaults; })(window)');
}
