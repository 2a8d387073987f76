import { deflateSync } from 'node:zlib';

/** Objects by number, each as written between `obj` and `endobj`. */
export type Objects = Record<number, string>;

export interface PlainOptions {
  /** More entries of the trailer. */
  trailer?: string;
  /** Objects to put into an object stream, number 90. The file then has a cross-reference stream, number 91. */
  held?: number[];
  /** More entries of the object stream. */
  heldEntries?: string;
}

/** Makes a PDF without a library. Object 1 is the catalog. */
export function plainPdf(objects: Objects, options: PlainOptions = {}): Buffer {
  return extended(Buffer.from('%PDF-1.7\n'), objects, null, options);
}

/** Appends an update to a PDF that defines objects. */
export function updatedPdf(file: Buffer, objects: Objects, options: PlainOptions = {}): Buffer {
  const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))?.[1];
  return extended(file, objects, Number(previous), options);
}

export function drawing(entries: string, content: string): string {
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
}

function extended(file: Buffer, objects: Objects, previous: number | null, options: PlainOptions): Buffer {
  const { trailer = '', held = [], heldEntries = '' } = options;
  const isStream = held.length > 0 || file.includes('/Type /XRef');
  const own = { ...objects };
  for (const number of held) delete own[number];
  if (held.length > 0)
    own[90] = objectStream(
      held.map((number) => [number, objects[number] ?? 'null']),
      heldEntries,
    );
  let text = file.toString('latin1');
  const places: Array<[number: number, type: number, second: number, third: number]> = [];
  for (const [number, body] of Object.entries(own)) {
    places.push([Number(number), 1, text.length, 0]);
    text += `${number} 0 obj\n${body}\nendobj\n`;
  }
  for (const [index, number] of held.entries()) places.push([number, 2, 90, index]);
  const start = text.length;
  const entries = `/Size 2000 /Root 1 0 R ${previous === null ? '' : `/Prev ${previous}`} ${trailer}`;
  if (isStream) {
    const number = previous === null ? 91 : 1999;
    text += `${number} 0 obj\n${tableStream([...places, [number, 1, start, 0]], entries)}\nendobj\n`;
  } else {
    const rows = places.map(([number, , offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
    const first = previous === null ? '0 1\n0000000000 65535 f \n' : '';
    text += `xref\n${first}${rows.join('')}trailer\n<< ${entries} >>\n`;
  }
  return Buffer.from(`${text}startxref\n${start}\n%%EOF\n`, 'latin1');
}

function objectStream(held: Array<[number: number, body: string]>, entries: string): string {
  let objects = '';
  const table = held.map(([number, body]) => {
    const offset = objects.length;
    objects += `${body}\n`;
    return `${number} ${offset} `;
  });
  const first = table.join('').length;
  const dictionary = `/Type /ObjStm /N ${held.length} /First ${first} ${entries}`;
  return compressed(dictionary, Buffer.from(table.join('') + objects, 'latin1'));
}

function tableStream(places: Array<[number, number, number, number]>, entries: string): string {
  const rows = places.map(([, type, second, third]) => {
    const row = Buffer.alloc(7);
    row.writeUInt8(type, 0);
    row.writeUInt32BE(second, 1);
    row.writeUInt16BE(third, 5);
    return row;
  });
  const index = places.map(([number]) => `${number} 1`).join(' ');
  return compressed(`/Type /XRef /W [1 4 2] /Index [${index}] ${entries}`, Buffer.concat(rows));
}

function compressed(entries: string, bytes: Buffer): string {
  const data = deflateSync(bytes).toString('latin1');
  return `<< /Filter /FlateDecode /Length ${data.length} ${entries} >>\nstream\n${data}\nendstream`;
}
