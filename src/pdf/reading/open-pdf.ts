import { PDF, type PdfDict, type PdfObject, PdfStream } from '@libpdf/core';
import { readPdfDate } from '../signatures/pdf-date.ts';

/** Facts about a PDF that show whether it was sealed and changed. */
export interface OpenedPdf {
  isEncrypted: boolean;
  /** Whether the cross-reference table was damaged and had to be rebuilt. */
  isRepaired: boolean;
  /** Whether it has an XFA form, which some readers show instead of the pages. */
  hasXfa: boolean;
  signatures: OpenedSignature[];
  /** Returns the bytes of an embedded file, or null when it does not exist or is not readable. */
  attachment(name: string): Buffer | null;
}

/** A signature that the document refers to. */
export interface OpenedSignature {
  range: number[];
  contents: Buffer;
  /** Name of the signer, as stated. */
  name: string | null;
  /** Format of the signature, such as `ETSI.CAdES.detached`. */
  subFilter: string | null;
  /** The signing time that the signature dictionary states. */
  signedAt: Date | null;
  /** Whether it certifies the document and permits no changes (DocMDP, P 1). */
  isLast: boolean;
  /** Build information written by sealing. Null when another program or an earlier version made the signature. */
  build: { level: string } | null;
  /** Returns the bytes of a file associated with the appearance of its field, or null. */
  attachment(name: string): Buffer | null;
}

type Resolve = Parameters<PdfDict['getDict']>[1];

const fieldsMax = 10_000;

/**
 * Opens an untrusted PDF. This may take unlimited time and memory, so call it in a separate process.
 *
 * @throws when the file cannot be read.
 */
export async function openPdf(file: Buffer): Promise<OpenedPdf> {
  const pdf = await PDF.load(file);
  const resolve: Resolve = (ref) => pdf.context.resolve(ref);
  const form = pdf.isEncrypted ? undefined : pdf.context.catalog.getDict().getDict('AcroForm', resolve);
  return {
    isEncrypted: pdf.isEncrypted,
    isRepaired: pdf.recoveredViaBruteForce,
    hasXfa: form?.has('XFA') ?? false,
    signatures: form === undefined ? [] : readSignatures(form, resolve),
    attachment: (name) => readAttachment(pdf, name),
  };
}

function readSignatures(form: PdfDict, resolve: Resolve): OpenedSignature[] {
  return signatureFields(form, resolve).map(({ field, value }) => readSignature(field, value, resolve));
}

interface SignedField {
  field: PdfDict;
  value: PdfDict;
}

/** Returns the signed fields of a form and their signatures. */
export function signatureFields(form: PdfDict, resolve: Resolve): SignedField[] {
  const signed: SignedField[] = [];
  const seen = new Set<PdfDict>();
  const waiting = dictionaries(form, 'Fields', resolve);
  for (let field = waiting.pop(); field !== undefined && seen.size < fieldsMax; field = waiting.pop()) {
    if (seen.has(field)) continue;
    seen.add(field);
    waiting.push(...dictionaries(field, 'Kids', resolve));
    const value = field.getName('FT', resolve)?.value === 'Sig' ? field.getDict('V', resolve) : undefined;
    if (value !== undefined) signed.push({ field, value });
  }
  return signed;
}

function dictionaries(parent: PdfDict, key: string, resolve: Resolve): PdfDict[] {
  const items = parent.getArray(key, resolve)?.toArray() ?? [];
  return items.map((item) => follow(item, resolve)).filter((item): item is PdfDict => item?.type === 'dict');
}

function follow(item: PdfObject, resolve: Resolve): PdfObject | null | undefined {
  return item.type === 'ref' ? resolve?.(item) : item;
}

function readSignature(field: PdfDict, value: PdfDict, resolve: Resolve): OpenedSignature {
  const range = value.getArray('ByteRange', resolve)?.toArray() ?? [];
  return {
    range: range.map((number) => (number.type === 'number' ? number.value : Number.NaN)),
    contents: Buffer.from(value.getString('Contents', resolve)?.bytes ?? []),
    name: value.getString('Name', resolve)?.asString() ?? null,
    subFilter: value.getName('SubFilter', resolve)?.value ?? null,
    signedAt: readPdfDate(value.getString('M', resolve)?.asString() ?? ''),
    isLast: permittedChanges(value, resolve) === 1,
    build: readBuild(value, resolve),
    attachment: (name) => associatedFile(field, name, resolve),
  };
}

function readBuild(signature: PdfDict, resolve: Resolve): OpenedSignature['build'] {
  const app = signature.getDict('Prop_Build', resolve)?.getDict('App', resolve);
  if (app?.getName('Name', resolve)?.value !== sealBuild.name) return null;
  const level = app.getString('REx', resolve)?.asString();
  return app.getNumber('R', resolve)?.value === sealBuild.revision && level !== undefined ? { level } : null;
}

/**
 * Build information in the signature build dictionary of a seal. Seals with revision 1 have ECDSA signatures with the lower s.
 * The dictionary also has the level: `B-B`, or `B-T` with a time-stamp. The seal covers it.
 */
export const sealBuild = { name: 'Countersign', revision: 1 } as const;

/**
 * Returns the changes that a signature permits (ISO 32000-1, table 254). 1: none. 2: filling in forms and signing. 3: also
 * annotations. Null when it does not state any.
 */
export function permittedChanges(signature: PdfDict, resolve: Resolve): number | null {
  for (const reference of dictionaries(signature, 'Reference', resolve)) {
    if (reference.getName('TransformMethod', resolve)?.value !== 'DocMDP') continue;
    return reference.getDict('TransformParams', resolve)?.getNumber('P', resolve)?.value ?? 2;
  }
  return null;
}

/** Returns the changes that a signature which locked the document permits (ISO 32000-2, table 236), as in `permittedChanges`. */
export function lockedChanges({ field, value }: SignedField, resolve: Resolve): number[] {
  const parameters = dictionaries(value, 'Reference', resolve)
    .filter((reference) => reference.getName('TransformMethod', resolve)?.value === 'FieldMDP')
    .map((reference) => reference.getDict('TransformParams', resolve));
  const levels = [field.getDict('Lock', resolve), ...parameters].map((dict) => dict?.getNumber('P', resolve)?.value);
  return levels.filter((level) => level !== undefined);
}

function associatedFile(field: PdfDict, name: string, resolve: Resolve): Buffer | null {
  const appearance = field.getDict('AP', resolve)?.get('N', resolve);
  if (!(appearance instanceof PdfStream)) return null;
  for (const file of dictionaries(appearance, 'AF', resolve)) {
    if (file.getString('UF', resolve)?.asString() !== name) continue;
    const stream = file.getDict('EF', resolve)?.get('F', resolve);
    return stream instanceof PdfStream ? decoded(stream) : null;
  }
  return null;
}

function decoded(stream: PdfStream): Buffer | null {
  try {
    return Buffer.from(stream.getDecodedData());
  } catch {
    return null;
  }
}

function readAttachment(pdf: PDF, name: string): Buffer | null {
  try {
    const bytes = pdf.getAttachment(name);
    return bytes === null ? null : Buffer.from(bytes);
  } catch {
    return null;
  }
}
