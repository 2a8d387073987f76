import type { IncomingMessage } from 'node:http';
import { type Static, Type } from 'typebox';
import { readPlan } from '../../accounts/read-plan.ts';
import { findShownImport } from '../../imports/shown-imports.ts';
import { cancelUpload } from '../../imports/upload/cancel-upload.ts';
import { findOutcome } from '../../imports/upload/find-outcome.ts';
import { receiveUpload } from '../../imports/upload/receive-upload.ts';
import { filesPerUploadMax, startUpload } from '../../imports/upload/start-upload.ts';
import { keepUpload } from '../../imports/upload/upload-lease.ts';
import { isUuid } from '../../platform/ids.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { declaredBytesOf, withUpload } from '../core/receive-file.ts';

const nameLengthMax = 1000;

/** The files that the browser will send, in this order. */
const input = Type.Object({
  files: Type.Array(
    Type.Object({
      name: Type.String({ maxLength: nameLengthMax }),
      bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    }),
    { minItems: 1, maxItems: filesPerUploadMax },
  ),
  unlock_doc: Type.Boolean(),
});

/** The items to cancel. By default all that are still open. */
const cancelled = Type.Object({ items: Type.Optional(Type.Array(Type.String(), { maxItems: filesPerUploadMax })) });

/** Imports of files that the browser sends one by one. Other endpoints for imports are in import-endpoints.ts. */
export const uploadEndpoints = [
  forMembers('POST /imports/uploads', 'member', { body: input }, start),
  forMembers('POST /imports/:id/items/:item/file', 'member', { takesFile: true }, receive),
  forMembers('POST /imports/:id/cancel', 'member', { body: cancelled }, cancel),
];

/** Creates the import. Answers with the item ids in the order of the files. Throws `plan_required`, `import_quota_exceeded`. */
async function start({ db, plans, imports }: ConsoleDeps, call: MemberCall<Static<typeof input>>) {
  const { caller, body } = call;
  const accountId = caller.membership.account_id;
  const starter = { accountId, personId: caller.person.id };
  if (!(await readPlan(db, plans, accountId))?.import_files_per_day) throw new ConsoleError('plan_required');
  return db.transaction((tx) => startUpload(imports, tx, starter, { files: body.files, unlockDoc: body.unlock_doc }));
}

/** Receives a file and answers with its outcome. If the item has already ended, the upload changes nothing. */
async function receive(deps: ConsoleDeps, call: MemberCall) {
  const { db, imports } = deps;
  const sent = sentFile(call);
  const received = await withUpload(call, (request) =>
    receiveUpload(imports, {
      ...sent,
      declaredBytes: declaredBytesOf(request),
      body: request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>,
      isCutOff: () => isCutOff(request),
    }),
  ).catch(async (error) => {
    // Keeps the item alive while it waits for its turn.
    if (error instanceof ConsoleError && error.code === 'too_many_tries') {
      await keepUpload(deps.world, db, sent);
    }
    throw error;
  });
  if (received === 'cut_off') throw new ConsoleError('invalid_input', { param: 'file' });
  if (received === 'closing' || received === 'busy') {
    throw new ConsoleError('too_many_tries', { retryAfterSeconds: waitSeconds });
  }
  const outcome = received === 'not_found' ? null : await findOutcome(db, sent);
  if (outcome === null) throw new ConsoleError('not_found');
  return outcome;
}

const waitSeconds = 2;

function sentFile({ caller, params: { id = '', item = '' } }: MemberCall) {
  if (!isUuid(id) || !isUuid(item)) throw new ConsoleError('not_found');
  return { accountId: caller.membership.account_id, importId: id, itemId: item };
}

/** Node.js also destroys a request whose body has been read to its end. */
function isCutOff(request: IncomingMessage): boolean {
  return request.errored !== null || (request.destroyed && !request.complete);
}

/** Ends open items as `interrupted`. */
async function cancel({ world, db }: ConsoleDeps, call: MemberCall<Static<typeof cancelled>>) {
  const { caller, body, params } = call;
  const { id = '' } = params;
  const accountId = caller.membership.account_id;
  const found = isUuid(id) ? await findShownImport(db, accountId, id) : null;
  if (found === null || found.source !== 'upload') throw new ConsoleError('not_found');
  if (body.items?.some((item) => !isUuid(item))) throw new ConsoleError('invalid_input', { param: 'items' });
  await cancelUpload(world, db, { accountId, importId: id, itemIds: body.items ?? null });
}
