/** A picture as RGBA bytes. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Returns a picture that fits into a box, each pixel the mean of those that it covers. It is never enlarged. */
export function fitPixels(pixels: Pixels, widthMax: number, heightMax: number): Pixels {
  const scale = Math.min(1, widthMax / pixels.width, heightMax / pixels.height);
  if (scale === 1) return pixels;
  const [width, height] = [pixels.width, pixels.height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ];
  const data = new Uint8Array(width * height * 4);
  const start = (at: number, side: number, whole: number) => Math.floor((at * whole) / side);
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [start(y, height, pixels.height), start(y + 1, height, pixels.height)];
    for (let x = 0; x < width; x++) {
      const [left, right] = [start(x, width, pixels.width), start(x + 1, width, pixels.width)];
      data.set(meanOf(pixels, left, Math.max(right, left + 1), top, Math.max(bottom, top + 1)), (y * width + x) * 4);
    }
  }
  return { data, width, height };
}

/** Transparent pixels don't count for the colour. */
function meanOf({ data, width }: Pixels, left: number, right: number, top: number, bottom: number): number[] {
  let [red, green, blue, opacity] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 4;
      const alpha = data[at + 3] ?? 0;
      red += (data[at] ?? 0) * alpha;
      green += (data[at + 1] ?? 0) * alpha;
      blue += (data[at + 2] ?? 0) * alpha;
      opacity += alpha;
    }
  }
  if (opacity === 0) return [0, 0, 0, 0];
  return [red / opacity, green / opacity, blue / opacity, opacity / ((right - left) * (bottom - top))];
}

/** Turns a picture upright. `orientation`: 1 to 8, as in Exif. */
export function turnPixels(pixels: Pixels, orientation: number): Pixels {
  if (orientation < 2 || orientation > 8) return pixels;
  const isTurned = orientation > 4;
  const [width, height] = isTurned ? [pixels.height, pixels.width] : [pixels.width, pixels.height];
  const data = new Uint8Array(width * height * 4);
  const [lastX, lastY] = [pixels.width - 1, pixels.height - 1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [across, down] = isTurned ? [y, x] : [x, y];
      const fromX = [2, 3, 7, 8].includes(orientation) ? lastX - across : across;
      const fromY = [3, 4, 6, 7].includes(orientation) ? lastY - down : down;
      const from = (fromY * pixels.width + fromX) * 4;
      data.set(pixels.data.subarray(from, from + 4), (y * width + x) * 4);
    }
  }
  return { data, width, height };
}
