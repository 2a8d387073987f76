import type { PageText } from '../script-contract.ts';

interface Size {
  width: number;
  height: number;
}

const clause =
  'The Subcontractor shall furnish all labor, materials and equipment for the work described in Exhibit A, and shall complete it';

/** The lines of a page as the service tells them; the third page is a picture without text. */
export function pageText(number: number, { width, height }: Size): PageText {
  if (number === 3) return { lines: [] };
  const heading = { text: `Section ${number}. Scope of work`, x: 72, y: 72, width: 220, height: 18 };
  const count = Math.floor((height * 0.6) / 20);
  const body = Array.from({ length: count }, (_, index) => ({
    text: clause.slice(0, index % 5 === 4 ? 60 : 96),
    x: 72,
    y: 108 + index * 20,
    width: width - 144,
    height: 11,
  }));
  return { lines: [heading, ...body] };
}

/** The same as an image. */
export function pageImage(number: number, size: Size): string {
  const lines = pageText(number, size).lines.map(
    ({ text, x, y, height }) =>
      `<text x="${x}" y="${y + height}" font-size="${height * 0.9}" font-family="Georgia, serif" fill="#222">${text}</text>`,
  );
  const rules = [
    [72, 644, 190],
    [330, 640, 110],
    [72, 580, 220],
  ].map(([x, y, width]) => `<path d="M${x} ${y}h${width}" stroke="#555"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="#fff"/>${lines.join('')}${rules.join('')}</svg>`;
}
