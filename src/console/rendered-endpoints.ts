import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import type { Document } from '../documents/document.ts';
import { fileKey } from '../documents/stored-files.ts';
import { savedAs } from '../http/saved-as.ts';
import type { Tx } from '../postgres/database.ts';
import { lockUnlocked, type Unlocked } from '../unlocked/find-unlocked.ts';
import { NothingToRender, renderText } from '../unlocked/render-text.ts';
import { draftWithFile, useAsFile } from '../unlocked/use-rendering.ts';
import { PdfWorkerError } from '../world/pdf/process/pdf-worker-error.ts';
import { actorOf, change } from './change-document.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';
import { readPageNumber, showPicture } from './document-file-endpoints.ts';
import { assertEditable, lockOwnDocument } from './own-document.ts';
import { RawAnswer } from './raw-answer.ts';
import { findText } from './unlocked-endpoints.ts';

/** Of the text that the PDF was made of, as whoever asks has seen it. */
const seen = Type.Object({ version: Type.Integer({ minimum: 0 }) });
type Seen = Static<typeof seen>;

/** The PDF that is made of an unlocked document's text, and what is done with it. */
export const renderedEndpoints: ConsoleEndpoint[] = [
  forMembers('POST /documents/:id/unlocked/rendered', 'member', {}, render),
  forMembers('GET /documents/:id/unlocked/rendered/pdf', 'member', {}, download),
  forMembers('GET /documents/:id/unlocked/rendered/pages/:page', 'member', {}, showPage),
  forMembers('POST /documents/:id/unlocked/rendered/use', 'member', { body: seen }, (means, call) =>
    change(means, call, async (tx, document) => {
      assertEditable(call, document);
      await useAsFile(means.world, tx, document, await lockSeen(tx, document, call), actorOf(call));
    }),
  ),
  forMembers('POST /documents/:id/unlocked/rendered/draft', 'member', { body: seen }, ({ world, db }, call) =>
    db.transaction(async (tx) => {
      const document = await lockOwnDocument(tx, call);
      const unlocked = await lockSeen(tx, document, call);
      const wish = { actor: actorOf(call), title: document.title };
      return { id: await draftWithFile(world, tx, document, unlocked, wish) };
    }),
  ),
];

/** Less than a page waits for an answer. */
const answerWithinMs = 15_000;
const busySeconds = 5;
/** By document and version of its text: of all who ask for it at once, the first has it made. */
const underWay = new Map<string, Promise<void>>();

/**
 * Makes the PDF, unless it is there. Answers with the version it is of, null while it is still being made: ask again.
 * Throws `nothing_to_render`, `rendering_failed`, and `too_many_tries` while others are made.
 */
async function render(means: ConsoleMeans, call: MemberCall): Promise<{ version: number | null }> {
  const { document, unlocked } = await findText(means.db, call);
  const { version } = unlocked;
  if (unlocked.rendered_version === version) return { version };
  const name = `${document.id} ${version}`;
  const making = underWay.get(name) ?? begin(means, name, unlocked, document.title);
  const isMade = await Promise.race([making.then(() => true), sleep(answerWithinMs, false, { ref: false })]).catch(
    (error) => {
      throw failureOf(error);
    },
  );
  return { version: isMade ? version : null };
}

function begin(means: ConsoleMeans, name: string, unlocked: Unlocked, title: string): Promise<void> {
  const making = renderText(means, unlocked, title).finally(() => underWay.delete(name));
  underWay.set(name, making);
  // Who asks hears what became of it. Nobody waits for it when the service stops.
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

async function download({ db, files }: ConsoleMeans, call: MemberCall) {
  const { document, unlocked } = await findText(db, call);
  const file = unlocked.rendered_sha256 && (await files.get(fileKey(unlocked.rendered_sha256.toString('hex'))));
  if (file === null) throw new ConsoleError('not_found');
  return new RawAnswer(file.stream, {
    'content-type': 'application/pdf',
    'content-length': String(file.sizeBytes),
    'content-disposition': savedAs(document.title, 'pdf'),
  });
}

async function showPage({ db, pages }: ConsoleMeans, call: MemberCall) {
  const { unlocked } = await findText(db, call);
  const { rendered_sha256: sha256, rendered_pages } = unlocked;
  if (sha256 === null) throw new ConsoleError('not_found');
  return showPicture(pages, sha256, readPageNumber(call, rendered_pages?.length ?? 0), call.query);
}

/** What is done with a PDF is done with the one that was looked at. */
async function lockSeen(tx: Tx, { account_id, id }: Document, { body }: MemberCall<Seen>): Promise<Unlocked> {
  const unlocked = await lockUnlocked(tx, account_id, id);
  if (unlocked === null) throw new ConsoleError('not_found');
  if (unlocked.rendered_version !== body.version) throw new ConsoleError('changed_meanwhile');
  return unlocked;
}
