/** Raw incremental updates, as attackers append them without a PDF library, which would refuse half of them. */
export function appended(pdf: Buffer, objects: Record<number, string>, root = rootOf(pdf)): Buffer {
  const { body, offsets, end } = bodyOf(pdf, objects);
  const numbers = Object.keys(offsets).map(Number);
  const table = numbers
    .map((number) => `${number} 1\n${String(offsets[number]).padStart(10, '0')} 00000 n \n`)
    .join('');
  const size = Math.max(nextNumber(pdf), ...numbers.map((number) => number + 1));
  const trailer = `trailer\n<< /Size ${size} /Root ${root} 0 R /Prev ${startOf(pdf)} >>\nstartxref\n${end}\n%%EOF\n`;
  return Buffer.concat([pdf, Buffer.from(`${body}xref\n${table}${trailer}`, 'latin1')]);
}

/** Objects without a table. Readers that rebuild the table of a damaged file use the last object of each number. */
export function appendedBody(pdf: Buffer, objects: Record<number, string>, ending = ''): Buffer {
  return Buffer.concat([pdf, Buffer.from(bodyOf(pdf, objects).body + ending, 'latin1')]);
}

/** Marks objects as deleted. */
export function withoutObjects(pdf: Buffer, numbers: readonly number[]): Buffer {
  const table = numbers.map((number) => `${number} 1\n0000000000 65535 f \n`).join('');
  const trailer = `trailer\n<< /Size ${nextNumber(pdf)} /Root ${rootOf(pdf)} 0 R /Prev ${startOf(pdf)} >>\n`;
  return Buffer.concat([pdf, Buffer.from(`\nxref\n${table}${trailer}startxref\n${pdf.length + 1}\n%%EOF\n`)]);
}

/** Returns the last version of an object, between `obj` and `endobj`. */
export function objectOf(pdf: Buffer, number: number): string {
  const text = pdf.toString('latin1');
  const at = text.lastIndexOf(`\n${number} 0 obj`);
  if (at === -1) throw new Error(`the file has no object ${number}`);
  const start = text.indexOf('obj', at) + 'obj'.length;
  return text.slice(start, text.indexOf('endobj', start)).trim();
}

/** Returns the number of the first object that contains `text`. */
export function numberWith(pdf: Buffer, text: string): number {
  const whole = pdf.toString('latin1');
  const at = whole.indexOf(text);
  const before = at === -1 ? [] : [...whole.slice(0, at).matchAll(/\n(\d+) 0 obj/g)];
  const number = before.at(-1)?.[1];
  if (number === undefined) throw new Error(`the file has no object with ${text}`);
  return Number(number);
}

export function nextNumber(pdf: Buffer): number {
  return Math.max(...[...pdf.toString('latin1').matchAll(/\n(\d+) 0 obj/g)].map(([, number]) => Number(number))) + 1;
}

export function rootOf(pdf: Buffer): number {
  return Number([...pdf.toString('latin1').matchAll(/\/Root (\d+) 0 R/g)].at(-1)?.[1]);
}

function startOf(pdf: Buffer): number {
  return Number([...pdf.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1]);
}

function bodyOf(pdf: Buffer, objects: Record<number, string>) {
  const offsets: Record<number, number> = {};
  let body = '\n';
  for (const [number, content] of Object.entries(objects)) {
    offsets[Number(number)] = pdf.length + body.length;
    body += `${number} 0 obj\n${content}\nendobj\n`;
  }
  return { body, offsets, end: pdf.length + body.length };
}
