import { inflateSync } from 'node:zlib';
import { AmbiguousError, type Value } from './read-value.ts';

const bytesMax = 64 * 2 ** 20;

/**
 * Decodes the data of a cross-reference or object stream. `columns` is the row width in bytes for a predictor, or null when
 * none is allowed.
 *
 * @throws `AmbiguousError` for damaged data and for filters that such streams do not use.
 */
export function decoded(dict: Map<string, Value>, data: Buffer, columns: number | null): Buffer {
  const filter = only(dict.get('/Filter'));
  const parameters = only(dict.get('/DecodeParms'));
  if (dict.has('/F') || dict.has('/DP')) throw new AmbiguousError('data elsewhere');
  if (filter === null) return data;
  if (!('text' in filter) || filter.text !== '/FlateDecode') throw new AmbiguousError('an unusual filter');
  const plain = inflated(data);
  if (parameters === null) return plain;
  if (!('dict' in parameters)) throw new AmbiguousError('unusual parameters');
  return withoutPredictor(plain, parameters.dict, columns);
}

/** Returns the only element of an array, or the value itself. */
function only(value: Value | undefined): Value | null {
  if (value === undefined || ('text' in value && value.text === 'null')) return null;
  if (!('list' in value)) return value;
  if (value.list.length > 1) throw new AmbiguousError('several filters');
  return value.list[0] ?? null;
}

function inflated(data: Buffer): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: bytesMax });
  } catch {
    throw new AmbiguousError('damaged data');
  }
}

/** Undoes PNG predictors (ISO 32000-1, 7.4.4.4) with one byte per pixel. Supports the row filters None and Up. */
function withoutPredictor(data: Buffer, parameters: Map<string, Value>, columns: number | null): Buffer {
  const written = [...parameters].map(([key, value]) => `${key} ${'text' in value ? value.text : '?'}`).sort();
  if (written.every((entry) => entry === '/Predictor 1' || entry.startsWith('/Columns '))) return data;
  const known = [`/Columns ${columns}`, '/Colors 1', '/BitsPerComponent 8'];
  const isKnown = written.every((entry) => known.includes(entry) || /^\/Predictor 1[0-5]$/.test(entry));
  if (columns === null || !isKnown || !parameters.has('/Columns') || data.length % (columns + 1) !== 0)
    throw new AmbiguousError('unusual parameters');
  const rows = Buffer.alloc((data.length / (columns + 1)) * columns);
  for (let row = 0; row * columns < rows.length; row += 1) {
    const from = row * (columns + 1);
    const kind = data[from];
    if (kind !== 0 && kind !== 2) throw new AmbiguousError('an unusual predictor');
    for (let i = 0; i < columns; i += 1) {
      const above = kind === 2 && row > 0 ? (rows[(row - 1) * columns + i] ?? 0) : 0;
      rows[row * columns + i] = (data[from + 1 + i] ?? 0) + above;
    }
  }
  return rows;
}
