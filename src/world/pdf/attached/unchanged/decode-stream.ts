import { inflateSync } from 'node:zlib';
import { Ambiguous, type Value } from './read-value.ts';

const bytesMax = 64 * 2 ** 20;

/**
 * The data of a cross-reference or object stream. `columns` is the width of its rows, where a predictor is allowed. Throws
 * `Ambiguous` for damaged data and for filters that such streams don't have.
 */
export function decoded(dict: Map<string, Value>, data: Buffer, columns: number | null): Buffer {
  const filter = only(dict.get('/Filter'));
  const parameters = only(dict.get('/DecodeParms'));
  if (dict.has('/F') || dict.has('/DP')) throw new Ambiguous('data elsewhere');
  if (filter === null) return data;
  if (!('text' in filter) || filter.text !== '/FlateDecode') throw new Ambiguous('an unusual filter');
  const plain = inflated(data);
  if (parameters === null) return plain;
  if (!('dict' in parameters)) throw new Ambiguous('unusual parameters');
  return withoutPredictor(plain, parameters.dict, columns);
}

/** The one value of a list of one, or the value itself. */
function only(value: Value | undefined): Value | null {
  if (value === undefined || ('text' in value && value.text === 'null')) return null;
  if (!('list' in value)) return value;
  if (value.list.length > 1) throw new Ambiguous('several filters');
  return value.list[0] ?? null;
}

function inflated(data: Buffer): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: bytesMax });
  } catch {
    throw new Ambiguous('damaged data');
  }
}

/** PNG predictors (ISO 32000-1, 7.4.4.4) of one byte for each pixel. Rows are left as they are, or differ from that above. */
function withoutPredictor(data: Buffer, parameters: Map<string, Value>, columns: number | null): Buffer {
  const written = [...parameters].map(([key, value]) => `${key} ${'text' in value ? value.text : '?'}`).sort();
  if (written.every((entry) => entry === '/Predictor 1' || entry.startsWith('/Columns '))) return data;
  const known = [`/Columns ${columns}`, '/Colors 1', '/BitsPerComponent 8'];
  const isKnown = written.every((entry) => known.includes(entry) || /^\/Predictor 1[0-5]$/.test(entry));
  if (columns === null || !isKnown || !parameters.has('/Columns') || data.length % (columns + 1) !== 0)
    throw new Ambiguous('unusual parameters');
  const rows = Buffer.alloc((data.length / (columns + 1)) * columns);
  for (let row = 0; row * columns < rows.length; row += 1) {
    const from = row * (columns + 1);
    const kind = data[from];
    if (kind !== 0 && kind !== 2) throw new Ambiguous('an unusual predictor');
    for (let i = 0; i < columns; i += 1) {
      const above = kind === 2 && row > 0 ? (rows[(row - 1) * columns + i] ?? 0) : 0;
      rows[row * columns + i] = (data[from + 1 + i] ?? 0) + above;
    }
  }
  return rows;
}
