import type { IncomingMessage } from 'node:http';
import { type Static, Type } from 'typebox';
import { findShownImport } from '../imports/shown-imports.ts';
import { cancelUpload } from '../imports/upload/cancel-upload.ts';
import { findOutcome } from '../imports/upload/find-outcome.ts';
import { receiveUpload } from '../imports/upload/receive-upload.ts';
import { filesPerUploadMax, startUpload } from '../imports/upload/start-upload.ts';
import { keepUpload } from '../imports/upload/upload-lease.ts';
import { isUuid } from '../world/ids.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';
import { declaredBytesOf, withUpload } from './receive-file.ts';
import { readPlan } from './self-serve.ts';

const nameLengthMax = 1000;

/** What the browser is going to send, in that order. */
const wish = Type.Object({
  files: Type.Array(
    Type.Object({
      name: Type.String({ maxLength: nameLengthMax }),
      bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    }),
    { minItems: 1, maxItems: filesPerUploadMax },
  ),
  unlock_doc: Type.Boolean(),
});

/** Of which files: all that are not in yet, when none are named. */
const cancelled = Type.Object({ items: Type.Optional(Type.Array(Type.String(), { maxItems: filesPerUploadMax })) });

/** An import of files that the browser sends one by one. It is seen like every other (import-endpoints.ts). */
export const uploadEndpoints: ConsoleEndpoint[] = [
  forMembers('POST /imports/uploads', 'member', { body: wish }, start),
  forMembers('POST /imports/:id/items/:item/file', 'member', { takesFile: true }, receive),
  forMembers('POST /imports/:id/cancel', 'member', { body: cancelled }, cancel),
];

/** Answers the ids of the items in the order of the files. Throws `plan_required` and `import_quota_exceeded`. */
async function start({ db, plans, imports }: ConsoleMeans, call: MemberCall<Static<typeof wish>>) {
  const { caller, body } = call;
  const accountId = caller.membership.account_id;
  const starter = { accountId, personId: caller.person.id };
  if (!(await readPlan(plans, db, accountId))?.import_files_per_day) throw new ConsoleError('plan_required');
  return db.transaction((tx) => startUpload(imports, tx, starter, { files: body.files, unlockDoc: body.unlock_doc }));
}

/** Answers what became of the file, also when it had ended before: then its bytes change nothing. */
async function receive(means: ConsoleMeans, call: MemberCall) {
  const { db, imports } = means;
  const sent = sentFile(call);
  const received = await withUpload(call, (request) =>
    receiveUpload(imports, {
      ...sent,
      declaredBytes: declaredBytesOf(request),
      body: request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>,
      isCutOff: () => isCutOff(request),
    }),
  ).catch(async (error) => {
    // It waits for its turn, and must not be taken for gone.
    if (error instanceof ConsoleError && error.code === 'too_many_tries') {
      await keepUpload(means.world, db, sent);
    }
    throw error;
  });
  if (received === 'cut_off') throw new ConsoleError('invalid_input', { param: 'file' });
  if (received === 'closing') throw new ConsoleError('too_many_tries', { retryAfterSeconds: closingSeconds });
  const outcome = received === 'not_found' ? null : await findOutcome(db, sent);
  if (outcome === null) throw new ConsoleError('not_found');
  return outcome;
}

const closingSeconds = 2;

function sentFile({ caller, params: { id = '', item = '' } }: MemberCall) {
  if (!isUuid(id) || !isUuid(item)) throw new ConsoleError('not_found');
  return { accountId: caller.membership.account_id, importId: id, itemId: item };
}

function isCutOff(request: IncomingMessage): boolean {
  return request.errored !== null || request.destroyed;
}

/** What is not in yet ends as `interrupted`. */
async function cancel({ world, db }: ConsoleMeans, call: MemberCall<Static<typeof cancelled>>) {
  const { caller, body, params } = call;
  const { id = '' } = params;
  const accountId = caller.membership.account_id;
  const found = isUuid(id) ? await findShownImport(db, accountId, id) : null;
  if (found === null || found.source !== 'upload') throw new ConsoleError('not_found');
  if (body.items?.some((item) => !isUuid(item))) throw new ConsoleError('invalid_input', { param: 'items' });
  await cancelUpload(world, db, { accountId, importId: id, itemIds: body.items ?? null });
}
