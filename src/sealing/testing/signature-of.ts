import { child, type DerNode, readDer, readOid } from '../../pdf/signatures/der.ts';

export interface PdfSignature {
  /** The CMS structure. */
  cms: Buffer;
  /** Offset behind the signed bytes. */
  end: number;
  /** The signed bytes of the file. */
  signedBytes: Buffer;
  /** The signature dictionary as written in the file. */
  dictionary: string;
}

/** Extracts the last signature of a PDF that is no document time-stamp, independently of the code under test. */
export function signatureOf(pdf: Uint8Array): PdfSignature {
  const last = lastOf(Buffer.from(pdf));
  return last.dictionary.includes('/DocTimeStamp') ? lastOf(Buffer.from(pdf), last.dictionaryStart) : last;
}

/** Extracts the document time-stamp at the end of a PDF. */
export function documentTimeStampOf(pdf: Uint8Array): PdfSignature {
  return lastOf(Buffer.from(pdf));
}

function lastOf(file: Buffer, before = file.length): PdfSignature & { dictionaryStart: number } {
  const at = file.lastIndexOf('/ByteRange', before);
  const dictionaryStart = file.lastIndexOf('<<', at);
  const numbers = /\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/.exec(file.toString('latin1', at, at + 100));
  const [first = 0, firstLength = 0, second = 0, secondLength = 0] = (numbers?.slice(1) ?? []).map(Number);
  const hex = file.toString('latin1', firstLength + 1, second - 1);
  const padded = Buffer.from(hex, 'hex');
  return {
    cms: readDer(padded).raw,
    signedBytes: Buffer.concat([
      file.subarray(first, first + firstLength),
      file.subarray(second, second + secondLength),
    ]),
    dictionary: file.toString('latin1', dictionaryStart, file.indexOf('endobj', second)),
    dictionaryStart,
    end: second + secondLength,
  };
}

/** Returns the object identifiers of the attributes of a signature. */
export function attributesOf(cms: Buffer): { signed: string[]; unsigned: string[] } {
  const signedData = child(child(child(readDer(cms), 1), 0), 0).tag === 0x02 ? child(child(readDer(cms), 1), 0) : null;
  const signerInfo = signedData?.children.at(-1)?.children[0];
  const oids = (tag: number) =>
    signerInfo?.children
      .find((node) => node.tag === tag)
      ?.children.map((attribute: DerNode) => readOid(child(attribute, 0))) ?? [];
  return { signed: oids(0xa0), unsigned: oids(0xa1) };
}
