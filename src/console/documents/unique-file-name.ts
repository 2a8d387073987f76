import { unsafeInNames } from '../../platform/unsafe-in-names.ts';

const lengthMax = 120;

/** Names that Windows keeps for devices, whatever follows the first dot. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Returns a file name for a title that every system accepts and that is not in `names` yet, and adds it there. Names that
 * differ only in case or in the form of their accents are the same.
 */
export function uniqueFileName(title: string, extension: string, names: Set<string>): string {
  const safe = title
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(unsafeInNames, '_')
    .replace(/^[\s.]+/, '');
  const short = [...safe]
    .slice(0, lengthMax)
    .join('')
    .replace(/[\s.]+$/, '');
  const base = short === '' ? 'document' : reserved.test(short) ? `_${short}` : short;
  for (let n = 1; ; n += 1) {
    const name = `${base}${n === 1 ? '' : ` (${n})`}.${extension}`;
    const key = name.toLowerCase();
    if (names.has(key)) continue;
    names.add(key);
    return name;
  }
}
