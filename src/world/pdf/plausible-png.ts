import { readPng } from './png/read-png.ts';

/**
 * Whether a drawn signature may be stored: a sound PNG of at most 2000 × 1000 pixels and 200 KiB. What passes here can
 * be sealed later. Cheap: nothing is decoded, and no more is unpacked than such an image holds.
 */
export function isPlausiblePng(bytes: Uint8Array): boolean {
  try {
    readPng(bytes);
    return true;
  } catch {
    return false;
  }
}
