import type { english } from './en/index.ts';

/** The texts of one language. */
export type PageTexts = typeof english;
