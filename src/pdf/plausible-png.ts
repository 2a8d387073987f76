import { readPng } from './png/read-png.ts';

/**
 * Whether a drawn signature can be stored and later sealed: a valid PNG of at most 2000 × 1000 pixels and 200 KiB. The check
 * is cheap: it decompresses at most the size of such an image.
 */
export function isPlausiblePng(bytes: Uint8Array): boolean {
  try {
    readPng(bytes);
    return true;
  } catch {
    return false;
  }
}
