import { Type } from 'typebox';
import { type AcceptedDestination, checkDestination } from '../../audit-stream/check-destination.ts';
import {
  dropUnsent,
  pauseStream,
  removeStream,
  resumeStream,
  rollStreamSecret,
  type StreamChange,
  setStream,
} from '../../audit-stream/manage-stream.ts';
import { type AuditStream, replacedSecretHours, type StreamKind } from '../../audit-stream/stream.ts';
import { readStreamJson, streamJson } from '../../audit-stream/stream-json.ts';
import { testStream } from '../../audit-stream/test-stream.ts';
import { Refusal } from '../../errors.ts';
import { countTry } from '../../identity/guess-limit.ts';
import type { Tx } from '../../postgres/database.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { lockAccess } from '../core/still-may.ts';
import { hostConcernJson } from './host-concern-json.ts';

interface Destination {
  kind: StreamKind;
  address: string;
}

const destination = Type.Object({
  kind: Type.Enum(['webhook', 'syslog']),
  /** An https URL, or for syslog a host with its port. */
  address: Type.String({ minLength: 1, maxLength: 2048 }),
});
const needsFreshSignIn = true;

/** The stream of the company's audit log. Who may redirect or stop it could hide what they do, so each change confirms who it is. */
export const auditStreamEndpoints = [
  forMembers('GET /audit-stream', 'owner', {}, async ({ db }, call) => ({
    stream: await readStreamJson(db, accountOf(call)),
  })),
  forMembers('POST /audit-stream', 'owner', { body: destination, needsFreshSignIn }, set),
  forMembers('POST /audit-stream/roll', 'owner', { needsFreshSignIn }, roll),
  forMembers('POST /audit-stream/pause', 'owner', { needsFreshSignIn }, (deps, call) =>
    change(deps, call, (tx, by) => pauseStream(deps.world, tx, by)),
  ),
  forMembers('POST /audit-stream/resume', 'owner', { needsFreshSignIn }, (deps, call) =>
    change(deps, call, (tx, by) => resumeStream(deps.world, tx, by)),
  ),
  forMembers('POST /audit-stream/remove', 'owner', { needsFreshSignIn }, remove),
  forMembers('POST /audit-stream/test', 'owner', {}, test),
];

const accountOf = ({ caller }: Pick<MemberCall, 'caller'>) => caller.membership.account_id;

function changeOf(call: Pick<MemberCall, 'caller'>): StreamChange {
  return { accountId: accountOf(call), personId: call.caller.person.id };
}

/** Sets the destination. The address is resolved before the transaction. A new secret is shown only in this answer. */
async function set({ world, db, secretBox, auditStream }: ConsoleDeps, call: MemberCall<Destination>) {
  const { concern, ...accepted } = await vet(auditStream, call.body);
  await dropUnsent(db, accountOf(call));
  return db.transaction(async (tx) => {
    await lockAccess(tx, call);
    const { secret, ...stream } = await setStream(world, tx, secretBox, changeOf(call), { ...accepted, concern });
    return { stream: await streamJson(tx, stream), secret, concern: concern && hostConcernJson(concern) };
  });
}

async function vet(rules: ConsoleDeps['auditStream'], { kind, address }: Destination): Promise<AcceptedDestination> {
  try {
    return await checkDestination(kind, address, rules);
  } catch (error) {
    if (error instanceof Refusal) throw new ConsoleError('invalid_destination', { param: 'address', cause: error });
    throw error;
  }
}

/** Rolls the signing secret. The old one stays valid for 24 hours, so that the receiver can change over. */
async function roll({ world, db, secretBox }: ConsoleDeps, call: MemberCall) {
  return db.transaction(async (tx) => {
    await lockAccess(tx, call);
    const rolled = await rollStreamSecret(world, tx, secretBox, changeOf(call));
    if (rolled === null) throw new ConsoleError('not_found');
    const { secret, ...stream } = rolled;
    return { stream: await streamJson(tx, stream), secret, old_secret_valid_hours: replacedSecretHours };
  });
}

async function change(
  { db }: Pick<ConsoleDeps, 'db'>,
  call: MemberCall,
  apply: (tx: Tx, by: StreamChange) => Promise<AuditStream | null>,
) {
  return db.transaction(async (tx) => {
    const changed = await apply(tx, changeOf(call));
    if (changed === null) throw new ConsoleError('not_found');
    return { stream: await streamJson(tx, changed) };
  });
}

/** Removes the stream. What waits is deleted after the answer, because there may be a lot. */
async function remove(deps: ConsoleDeps, call: MemberCall) {
  await change(deps, call, (tx, by) => removeStream(deps.world, tx, by));
  deps.afterwards(dropUnsent(deps.db, accountOf(call)));
  return { stream: null };
}

/** Sends a test to the destination and waits for what comes of it. Throws `too_many_tries`. */
async function test({ world, db, auditStream }: ConsoleDeps, call: MemberCall) {
  await countTry(world, db, 'audit_stream_test', accountOf(call));
  const result = await testStream(auditStream, accountOf(call));
  if (result === null) throw new ConsoleError('not_found');
  return result;
}
