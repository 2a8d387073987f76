import type { Placed } from './placing.ts';

/** The distance in points at which a dragged field aligns with another one. */
const reach = 4;

/** Where lines are shown along which a field is aligned, in points from the left and from the top of the page. */
export interface Guides {
  x: number | null;
  y: number | null;
}

export const noGuides: Guides = { x: null, y: null };

/** Aligns a field that is being moved with the edges and middles of others on its page. Returns its place and the guides. */
export function snap(moved: Placed, others: readonly Placed[]): { x: number; y: number; guides: Guides } {
  const across = nearest(
    moved.x,
    moved.width,
    others.map(({ x, width }) => [x, width]),
  );
  const down = nearest(
    moved.y,
    moved.height,
    others.map(({ y, height }) => [y, height]),
  );
  return {
    x: moved.x + (across?.shift ?? 0),
    y: moved.y + (down?.shift ?? 0),
    guides: { x: across?.line ?? null, y: down?.line ?? null },
  };
}

/** Returns the smallest shift that aligns start, middle or end with the same part of another field. */
function nearest(start: number, length: number, others: readonly (readonly [number, number])[]) {
  let best: { shift: number; line: number } | null = null;
  for (const [otherStart, otherLength] of others) {
    for (const part of [0, 0.5, 1]) {
      const line = otherStart + otherLength * part;
      const shift = line - (start + length * part);
      if (Math.abs(shift) <= reach && Math.abs(shift) < Math.abs(best?.shift ?? Number.POSITIVE_INFINITY)) {
        best = { shift, line };
      }
    }
  }
  return best;
}
