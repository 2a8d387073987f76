import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Pixels {
  width: number;
  height: number;
  grey: Buffer;
}

const timeoutMs = 30_000;
/** Two renderings of the same page may differ by less than this, of 255. */
const difference = 48;

/** Renders a page with poppler, one pixel per point. Returns null if poppler cannot. */
export function pagePixels(pdf: string, page: number, directory: string): Pixels | null {
  const out = join(directory, 'page');
  const range = ['-f', String(page), '-l', String(page)];
  try {
    execFileSync('pdftoppm', ['-cropbox', '-r', '72', ...range, '-gray', '-singlefile', pdf, out], {
      stdio: 'ignore',
      timeout: timeoutMs,
    });
  } catch {
    return null;
  }
  const image = readFileSync(`${out}.pgm`);
  const [header = '', width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(image.toString('latin1', 0, 40)) ?? [];
  return { width: Number(width), height: Number(height), grey: image.subarray(header.length) };
}

/** Counts the pixels that differ inside the areas and outside them. */
export function compare(before: Pixels, after: Pixels, areas: readonly Area[]): { inside: number; outside: number } {
  const changed = { inside: 0, outside: 0 };
  if (before.width !== after.width || before.height !== after.height) return { inside: 0, outside: before.grey.length };
  for (let i = 0; i < before.grey.length; i++) {
    if (Math.abs((before.grey[i] ?? 0) - (after.grey[i] ?? 0)) < difference) continue;
    const [x, y] = [i % before.width, Math.floor(i / before.width)];
    const isIn = areas.some(
      (area) => x >= area.x - 2 && x <= area.x + area.width + 2 && y >= area.y - 2 && y <= area.y + area.height + 2,
    );
    changed[isIn ? 'inside' : 'outside'] += 1;
  }
  return changed;
}
