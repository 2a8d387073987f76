import { open } from 'node:fs/promises';
import { type FieldFileType, fieldFileTypes } from '../documents/field-file.ts';
import { hasPdfHeader, headBytes } from '../pdf/pdf-header.ts';
import { unsafeInNames } from '../platform/unsafe-in-names.ts';

const nameLengthMax = 120;

/** Returns the type of a file by its first bytes, whatever its name says. Null for any other type. */
export async function readFileType(path: string): Promise<FieldFileType | null> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return typeOf(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function typeOf(start: Buffer): FieldFileType | null {
  if (start.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' && start.toString('latin1', 12, 16) === 'IHDR') {
    return fieldFileTypes.png;
  }
  if (start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff) return fieldFileTypes.jpg;
  return hasPdfHeader(start) ? fieldFileTypes.pdf : null;
}

/**
 * Returns the name of a file as it is stored and shown: without folders and characters that hide something, and with the ending of
 * its type.
 */
export function cleanFileName(name: string, type: FieldFileType): string {
  const [ending = 'pdf'] = Object.entries(fieldFileTypes).find(([, known]) => known === type) ?? [];
  const isOfType = type === fieldFileTypes.jpg ? /\.jpe?g$/i : new RegExp(`\\.${ending}$`, 'i');
  const last = name.toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const safe = last.normalize('NFC').replaceAll(unsafeInNames, '_').replaceAll(/\s+/g, ' ').trim();
  const found = isOfType.exec(safe);
  const base = [...(found === null ? safe : safe.slice(0, found.index))]
    .slice(0, nameLengthMax - 5)
    .join('')
    .trim();
  return `${/^[_.\s]*$/.test(base) ? 'file' : base.replace(/^\.+/, '_')}${found?.[0] ?? `.${ending}`}`;
}
