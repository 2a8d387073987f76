import { type Static, Type } from 'typebox';
import { assertUnsent, attachFile } from '../../documents/attach-file.ts';
import { readAttachment } from '../../documents/attachment.ts';
import { changeParts, PartsChangedError, partsOrFile } from '../../documents/change-parts.ts';
import type { Document } from '../../documents/document.ts';
import { type DocumentPart, partsMax, readParts } from '../../documents/document-part.ts';
import { assertJoinable, joinParts, PartRefusedError, type StoredPart } from '../../documents/join-parts.ts';
import { movedFields } from '../../documents/moved-fields.ts';
import type { NewFile } from '../../documents/new-file.ts';
import { storeFile } from '../../documents/stored-files.ts';
import { Refusal } from '../../errors.ts';
import type { Queryable } from '../../postgres/database.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { readFileName } from '../core/read-file-name.ts';
import { withReceivedFile } from '../core/receive-file.ts';
import { assertCurrent } from './assert-current.ts';
import { actorOf, change } from './change-document.ts';
import type { DocumentDetail } from './document-views.ts';
import { assertEditable, findOwnDocument } from './own-document.ts';

/** `parts`: the positions of the files to keep, from 1, in their new order. */
const arrangement = Type.Object({
  version: Type.Integer(),
  parts: Type.Array(Type.Integer({ minimum: 1, maximum: partsMax }), { minItems: 1, maxItems: partsMax }),
});

/** The files of a document in their order. They are joined into the one file that is signed. */
export const documentPartEndpoints = [
  forMembers('GET /documents/:id/parts', 'member', {}, list),
  forMembers('POST /documents/:id/parts', 'member', { takesFile: true }, add),
  forMembers('POST /documents/:id/parts/order', 'member', { body: arrangement }, arrange),
];

/** `fields`: the number of fields that removing the file would remove. */
async function list({ db }: ConsoleDeps, call: MemberCall) {
  const { account_id, id, audit_seq } = await findOwnDocument(db, call);
  const { parts, fields } = await readFiles(db, { account_id, id });
  const data = parts.map((part) => {
    const others = new Map(parts.filter((other) => other !== part).map((other) => [other, other]));
    const { position, name, bytes, page_count, first_page, sha256 } = part;
    return {
      ...{ position, name, bytes, page_count, first_page },
      sha256: sha256.toString('hex'),
      fields: fields.length - movedFields(fields, parts, others).length,
    };
  });
  return { version: audit_seq, parts_max: partsMax, data };
}

/**
 * Adds a PDF after the others: `?name=Terms.pdf`. The first one is attached as it is. Stores the file, and the one that they are
 * joined into, before the transaction. Throws `invalid_pdf` with the reason and, when another file is to blame, its name.
 */
async function add(deps: ConsoleDeps, call: MemberCall): Promise<DocumentDetail> {
  const { world, db, files, pdfReader } = deps;
  const asked = await findChangeable(db, call);
  const name = readFileName(call.query);
  return withReceivedFile(call, async ({ sha256, bytes, path }) => {
    const found = await pdfReader.inspect(path, asked.account_id);
    if (!found.ok) throw new ConsoleError('invalid_pdf', { param: found.reason, value: name });
    const added: NewFile = { sha256, bytes, name, pages: found.pages, isSigned: found.isSigned };
    const { parts, signed } = await readFiles(db, asked);
    if (parts.length === partsMax) throw new ConsoleError('too_many_parts');
    const next: StoredPart = { sha256, bytes, name, page_count: found.pages.length };
    refuseUnjoinable(() => assertJoinable([...parts, next], signed ?? (found.isSigned ? name : null)));
    await storeFile(world, db, files, added, path);
    if (parts.length === 0) {
      return change(deps, call, async (tx, document) => {
        assertEditable(call, document);
        if ((await readAttachment(tx, document.account_id, document.id)) !== null) throw new PartsChangedError();
        await attachFile(world, tx, document, actorOf(call), added);
      }).catch(asConsoleError);
    }
    return changeTo(deps, call, parts, [...parts, next]);
  });
}

/** Puts the files into another order, or removes those that are left out. */
async function arrange(deps: ConsoleDeps, call: MemberCall<Static<typeof arrangement>>): Promise<DocumentDetail> {
  const asked = await findChangeable(deps.db, call);
  assertCurrent(asked, call.body.version);
  const { parts } = await readFiles(deps.db, asked);
  const chosen = call.body.parts.map((position) => parts[position - 1]);
  const isArrangement = chosen.every((part) => part !== undefined) && new Set(chosen).size === chosen.length;
  if (!isArrangement) throw new ConsoleError('invalid_input', { param: 'parts' });
  return changeTo(deps, call, parts, chosen, call.body.version);
}

/** Joins the files in their new order, then replaces the document's file. */
async function changeTo(
  deps: ConsoleDeps,
  call: MemberCall<unknown>,
  before: readonly DocumentPart[],
  wanted: ReadonlyArray<DocumentPart | StoredPart>,
  version: number | null = null,
): Promise<DocumentDetail> {
  const { file, parts } = await joinParts(deps, call.caller.membership.account_id, wanted).catch(asConsoleError);
  const places = new Map(parts.map(({ part, from }) => [from as DocumentPart, part]));
  return change(deps, call, async (tx, document) => {
    assertEditable(call, document);
    if (version !== null) assertCurrent(document, version);
    const changed = { file, parts: parts.map(({ part }) => part), before, places };
    await changeParts(deps.world, tx, document, actorOf(call), changed);
  }).catch(asConsoleError);
}

async function findChangeable(db: Queryable, call: MemberCall<unknown>): Promise<Document> {
  const document = await findOwnDocument(db, call);
  assertEditable(call, document);
  try {
    assertUnsent(document);
  } catch (error) {
    throw error instanceof Refusal ? new ConsoleError('refused', { cause: error }) : error;
  }
  return document;
}

async function readFiles(db: Queryable, { account_id, id }: Pick<Document, 'account_id' | 'id'>) {
  const [attachment, rows] = await Promise.all([readAttachment(db, account_id, id), readParts(db, account_id, id)]);
  if (attachment === null) return { parts: [], fields: [], signed: null };
  const { file, fields } = attachment;
  return { parts: partsOrFile(rows, file), fields, signed: file.is_signed ? file.name : null };
}

function refuseUnjoinable(check: () => void): void {
  try {
    check();
  } catch (error) {
    asConsoleError(error);
  }
}

/** Throws the error of the console for a change that was refused. */
function asConsoleError(error: unknown): never {
  if (error instanceof PartsChangedError) throw new ConsoleError('changed_meanwhile', { cause: error });
  if (!(error instanceof PartRefusedError)) throw error;
  const { reason, part } = error;
  if (reason === 'too_large') throw new ConsoleError('file_too_large', { param: 'together', cause: error });
  throw new ConsoleError('invalid_pdf', { param: reason, ...(part === null ? {} : { value: part }), cause: error });
}
