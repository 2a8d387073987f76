import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import type { Document } from '../../documents/document.ts';
import { fileKey } from '../../documents/stored-files.ts';
import { savedAs } from '../../http/saved-as.ts';
import { PdfWorkerError } from '../../pdf/process/pdf-worker-error.ts';
import type { Tx } from '../../postgres/database.ts';
import { lockUnlocked, type Unlocked } from '../../unlock/text/find-unlocked.ts';
import { NothingToRender, renderText } from '../../unlock/text/render-text.ts';
import { draftWithFile, useAsFile } from '../../unlock/text/use-rendering.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { RawAnswer } from '../core/raw-answer.ts';
import { actorOf, change } from '../documents/change-document.ts';
import { createOnce, withRequestId } from '../documents/create-once.ts';
import { readPageNumber, showPicture } from '../documents/document-file-endpoints.ts';
import { assertEditable, lockOwnDocument } from '../documents/own-document.ts';
import { findText } from './unlocked-endpoints.ts';

/** The version of the text that the caller has seen. */
const seen = Type.Object({ version: Type.Integer({ minimum: 0 }) });
type Seen = Static<typeof seen>;
const newDraft = Type.Object({ ...seen.properties, ...withRequestId.properties });

/** The PDF created from the text of an unlocked document, and its uses. */
export const renderedEndpoints = [
  forMembers('POST /documents/:id/unlocked/rendered', 'member', {}, render),
  forMembers('GET /documents/:id/unlocked/rendered/pdf', 'member', {}, download),
  forMembers('GET /documents/:id/unlocked/rendered/pages/:page', 'member', {}, showPage),
  forMembers('POST /documents/:id/unlocked/rendered/use', 'member', { body: seen }, (deps, call) =>
    change(deps, call, async (tx, document) => {
      assertEditable(call, document);
      await useAsFile(deps.world, tx, document, await lockSeen(tx, document, call), actorOf(call));
    }),
  ),
  forMembers('POST /documents/:id/unlocked/rendered/draft', 'member', { body: newDraft }, (deps, call) =>
    createOnce(deps, call, `/documents/${call.params.id}/unlocked/rendered/draft`, async (tx) => {
      const document = await lockOwnDocument(tx, call);
      const unlocked = await lockSeen(tx, document, call);
      const input = { actor: actorOf(call), title: document.title };
      return { id: await draftWithFile(deps.world, tx, document, unlocked, input) };
    }),
  ),
];

/** Shorter than the time that a page waits for an answer. */
const answerWithinMs = 15_000;
const busySeconds = 5;
/** PDFs being created, by document and version of the text. Concurrent requests share one. */
const underWay = new Map<string, Promise<void>>();

/**
 * Creates the PDF if there is none. Answers with its version, or null if it is still being created: ask again later.
 * Throws `nothing_to_render`, `rendering_failed`, or `too_many_tries` if too many others are being created.
 */
async function render(deps: ConsoleDeps, call: MemberCall): Promise<{ version: number | null }> {
  const { document, unlocked } = await findText(deps.db, call);
  const { version } = unlocked;
  if (unlocked.rendered_version === version) return { version };
  const name = `${document.id} ${version}`;
  const making = underWay.get(name) ?? begin(deps, name, unlocked, document.title);
  const isMade = await Promise.race([making.then(() => true), sleep(answerWithinMs, false, { ref: false })]).catch(
    (error) => {
      throw failureOf(error);
    },
  );
  return { version: isMade ? version : null };
}

function begin(deps: ConsoleDeps, name: string, unlocked: Unlocked, title: string): Promise<void> {
  const making = renderText(deps, unlocked, title).finally(() => underWay.delete(name));
  underWay.set(name, making);
  // The caller gets the error. This handler only prevents an unhandled rejection if nobody waits.
  making.catch(() => {});
  return making;
}

function failureOf(error: unknown): unknown {
  if (error instanceof NothingToRender) return new ConsoleError('nothing_to_render', { cause: error });
  if (!(error instanceof PdfWorkerError) || error.failure === 'failed') return error;
  const isOurs = error.failure === 'busy' || error.failure === 'closed';
  if (isOurs) return new ConsoleError('too_many_tries', { cause: error, retryAfterSeconds: busySeconds });
  return new ConsoleError('rendering_failed', { cause: error });
}

async function download({ db, files }: ConsoleDeps, call: MemberCall) {
  const { document, unlocked } = await findText(db, call);
  const file = unlocked.rendered_sha256 && (await files.get(fileKey(unlocked.rendered_sha256.toString('hex'))));
  if (file === null) throw new ConsoleError('not_found');
  return new RawAnswer(file.stream, {
    'content-type': 'application/pdf',
    'content-length': String(file.sizeBytes),
    'content-disposition': savedAs(document.title, 'pdf'),
  });
}

async function showPage({ db, pages }: ConsoleDeps, call: MemberCall) {
  const { document, unlocked } = await findText(db, call);
  const { rendered_sha256: sha256, rendered_pages } = unlocked;
  if (sha256 === null) throw new ConsoleError('not_found');
  const file = { sha256: sha256.toString('hex'), accountId: document.account_id };
  return showPicture(pages, file, readPageNumber(call, rendered_pages?.length ?? 0), call.query);
}

/** Locks the text and throws `changed_meanwhile` if its PDF is not the version that the caller has seen. */
async function lockSeen(tx: Tx, { account_id, id }: Document, { body }: MemberCall<Seen>): Promise<Unlocked> {
  const unlocked = await lockUnlocked(tx, account_id, id);
  if (unlocked === null) throw new ConsoleError('not_found');
  if (unlocked.rendered_version !== body.version) throw new ConsoleError('changed_meanwhile');
  return unlocked;
}
