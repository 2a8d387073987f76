import { decoded } from '../strict/decode-stream.ts';
import { AmbiguousError, dictOf, integerOf, isText, listOf, type Value } from '../strict/read-value.ts';
import type { StrictFile } from '../strict/strict-file.ts';
import { type Dict, dictIn, listIn, refsOf } from './compare-values.ts';
import { endOf, type FoundSeal, sealAt } from './find-seals.ts';

/** Returns the encoded data of an added stream by its object number. Null for other objects. */
export type DataOf = (number: number) => Buffer | null;

const fieldKeys = ['/Type', '/Subtype', '/FT', '/T', '/F', '/P', '/Rect', '/V', '/AP', '/Ff', '/NM'];

/** Returns the signature dictionary of an invisible field with a document time-stamp. Throws for other fields. */
export function timeStampOf(after: StrictFile, dataOf: DataOf, field: Dict): Dict {
  const signature = dictIn(after, field, '/V');
  const isStamp =
    isText(signature.get('/Type'), '/DocTimeStamp') && isText(signature.get('/SubFilter'), '/ETSI.RFC3161');
  const isField =
    isText(field.get('/FT'), '/Sig') &&
    (!field.has('/Type') || isText(field.get('/Type'), '/Annot')) &&
    (!field.has('/Subtype') || isText(field.get('/Subtype'), '/Widget')) &&
    [...field.keys()].every((key) => fieldKeys.includes(key));
  const corners = listIn(after, field, '/Rect').map((corner) => ('text' in corner ? Number(corner.text) : Number.NaN));
  const [left, bottom, right, top] = corners;
  const isInvisible = left === right && bottom === top && isBlank(after, dataOf, field.get('/AP'));
  if (!isStamp || !isField || !isInvisible) throw new AmbiguousError('a field that is no time-stamp');
  return signature;
}

/** Whether an appearance draws nothing: readers disagree on what they do with one in an empty rectangle. */
function isBlank(after: StrictFile, dataOf: DataOf, appearance: Value | undefined): boolean {
  if (appearance === undefined) return true;
  const states = dictOf(after.follow(appearance));
  const [stream] = refsOf(states.get('/N'));
  const data = stream === undefined ? null : dataOf(stream);
  if (states.size !== 1 || stream === undefined || data === null) return false;
  return /^[\r\n\t ]*$/.test(decoded(dictOf(after.read(stream)), data, null).toString('latin1'));
}

/** White space after an update that its time-stamp need not cover. */
const updateSpaceMax = 20;

/** Finds a time-stamp in the update from `from` to the end of the file. Throws unless it covers the file to that end. */
export function stampAt(file: Buffer, from: number, signature: Dict): FoundSeal {
  const [first = 0, firstLength = 0, second = 0, secondLength = 0, ...rest] = listOf(signature.get('/ByteRange')).map(
    integerOf,
  );
  const stamp = sealAt(file, [first, firstLength, second, secondLength]);
  const end = endOf(stamp);
  const isBehind = firstLength > from && end <= file.length && rest.length === 0;
  const isWhole =
    /%%EOF[\r\n ]*$/.test(file.toString('latin1', Math.max(0, end - 20), end)) &&
    /^[\r\n ]*$/.test(file.toString('latin1', end, end + updateSpaceMax)) &&
    end + updateSpaceMax >= file.length;
  if (!stamp.isExact || !isBehind || !isWhole) throw new AmbiguousError('a time-stamp over something else');
  return stamp;
}
