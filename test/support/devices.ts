import type { BrowserContextOptions } from 'playwright-core';

/** The screens on which pages are tested. */
export const phone = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
} satisfies BrowserContextOptions;
export const desk = { viewport: { width: 1280, height: 900 } } satisfies BrowserContextOptions;
