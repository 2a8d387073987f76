import { launch, type Page } from 'puppeteer-core';
import type { ColorScheme, Engine, Tab } from './tab.ts';

/** Starts Firefox without a window, driven through WebDriver BiDi. */
export async function startFirefox(colorScheme: ColorScheme): Promise<Engine> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    headless: true,
    extraPrefsFirefox: { 'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1 },
  });
  const page = await browser.newPage();
  return { tab: tabOf(page), close: () => browser.close() };
}

function tabOf(page: Page): Tab {
  return {
    async open(url) {
      await page.goto(url);
    },
    resize: (width, height) => page.setViewport({ width, height }),
    click: (selector) => page.locator(selector).click(),
    async type(selector, text) {
      await page.locator(selector).click();
      await page.keyboard.type(text);
    },
    async draw(selector, points) {
      const canvas = await page.locator(selector).waitHandle();
      await canvas.scrollIntoView();
      const box = await canvas.boundingBox();
      if (box === null) throw new Error(`${selector} is not visible`);
      const [first = [0, 0], ...rest] = points;
      await page.mouse.move(box.x + first[0], box.y + first[1]);
      await page.mouse.down();
      for (const [x, y] of rest) await page.mouse.move(box.x + x, box.y + y);
      await page.mouse.up();
    },
    evaluate: (expression) => page.evaluate(expression) as Promise<never>,
  };
}
