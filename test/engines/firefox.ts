import { type Frame, launch, type Page } from 'puppeteer-core';
import { type ColorScheme, type Engine, scrollToMiddle, type Tab } from './tab.ts';

/** Starts Firefox without a window, driven through WebDriver BiDi. */
export async function startFirefox(colorScheme: ColorScheme): Promise<Engine> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    headless: true,
    extraPrefsFirefox: {
      'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1,
      // Without a window there is no mouse, unless it is said: 2 is a fine pointer, 4 one that hovers.
      'ui.primaryPointerCapabilities': 6,
      'ui.allPointerCapabilities': 6,
    },
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
    ...actionsIn(page, page),
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
    async inFrame(selector, work) {
      const handle = await page.locator(selector).waitHandle();
      const frame = await handle.contentFrame();
      if (frame === null) throw new Error(`${selector} is no frame`);
      await work(actionsIn(page, frame));
    },
  };
}

/** What can be done in a page or in a frame of it. The keyboard is always the page's. */
function actionsIn(page: Page, part: Page | Frame): Pick<Tab, 'click' | 'type' | 'evaluate'> {
  const click = async (selector: string) => {
    await part.locator(selector).wait();
    await part.evaluate(scrollToMiddle(selector));
    await part.locator(selector).click();
  };
  return {
    click,
    async type(selector, text) {
      await click(selector);
      await page.keyboard.type(text);
    },
    evaluate: (expression) => part.evaluate(expression) as Promise<never>,
  };
}
