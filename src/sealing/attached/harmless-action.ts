import { type PDF, PdfArray, PdfDict, PdfName, type PdfObject, PdfString } from '@libpdf/core';

/** Standard named actions (ISO 32000-1, table 211). Other names run a command of the reader. */
const turns = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);
const schemes = new Set(['http', 'https', 'mailto', 'tel']);

/**
 * Whether an action only shows another place in the same file, or opens a web, mail or telephone address. Other actions
 * run scripts, start programs, open or send files, or change what is shown. A chain of actions (`/Next`) is not harmless.
 */
export function isHarmlessAction(pdf: PDF, action: PdfObject | undefined): boolean {
  if (!(action instanceof PdfDict) || action.has('Next')) return false;
  const entry = (key: string) => action.get(key, (ref) => pdf.context.resolve(ref));
  const kind = entry('S');
  switch (kind instanceof PdfName ? kind.value : '') {
    case 'GoTo':
      return isPlace(entry('D'));
    case 'Thread':
      return !action.has('F');
    case 'Named': {
      const name = entry('N');
      return name instanceof PdfName && turns.has(name.value);
    }
    case 'URI':
      return isHarmlessAddress(entry('URI'));
    default:
      return false;
  }
}

/** Whether a value is a destination in the file, or the name of one, rather than an action. */
export function isPlace(value: PdfObject | undefined): boolean {
  return value instanceof PdfArray || value instanceof PdfName || value instanceof PdfString;
}

/** Whether an address has no scheme, or a scheme that no reader runs as a script. */
export function isHarmlessAddress(value: PdfObject | undefined): boolean {
  if (!(value instanceof PdfString)) return false;
  const address = value.asString().trim();
  const scheme = /^([^/?#:]*):/.exec(address)?.[1];
  return scheme === undefined || schemes.has(scheme.toLowerCase());
}
