import { VendorTokenRefused } from '../../esign/vendor/token-refused.ts';
import type { EnvelopePage, EnvelopeQuery, OpenedDocument, VendorRefusal } from '../../esign/vendor/vendor.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { ImportDeps } from '../import-deps.ts';
import { type Call, createVendorCalls } from './vendor-calls.ts';
import type { CallKind, VendorGate } from './vendor-gate.ts';
import { assertProgress, type RunningVendorImport } from './vendor-import.ts';

/** What a call came to. The client itself waits for the vendor's rate limits, so `limited` isn't among them. */
export type VendorReply<Value> =
  | { kind: 'done'; value: Value }
  | { kind: 'refused'; why: VendorRefusal | 'unanswered' }
  /** A failure worth another attempt. `isItself`: only this request fails; the vendor answers others. */
  | { kind: 'trouble'; isItself: boolean };

/**
 * Asks the vendor in the name of a sweep's connection, as fast as it lets us. Throws `VendorImportEnded` and `VendorImportPaused` for a
 * connection that is gone or refused, and when told to stop.
 */
export interface VendorClient {
  list(query: EnvelopeQuery): Promise<VendorReply<EnvelopePage>>;
  open(envelopeId: string): Promise<VendorReply<OpenedDocument>>;
}

/** This many failed calls in a row, or failed envelopes, mean that the vendor is at fault. */
const failuresOfVendor = 3;
/** While listing works and no document has ever come, the client gives up on documents after this time. */
const noneHandedOutMsMax = 6 * 3_600_000;
/** By then the token is new, and the API has had a second to learn of it. */
const tokenRefusalsMax = 3;
/** A sleeping machine or a clock that jumps doesn't count as waiting: failures must have been seen for this long. */
const troubleMsMin = 3_600_000;

export function createVendorClient(
  { world, database, esign, vendor }: Pick<ImportDeps, 'world' | 'database' | 'esign' | 'vendor'>,
  running: RunningVendorImport,
  gate: VendorGate,
  signal: AbortSignal,
): VendorClient {
  const { account_id: accountId } = running.vendorImport;
  const calls = createVendorCalls({ world, esign }, running, gate, signal);
  const recovery: Record<CallKind, Promise<void> | null> = { list: null, document: null };
  /** The envelopes whose documents have failed since the last one that came. */
  const failing = new Set<string>();
  let handedOut: string | null = null;
  /** Documents fail, and the vendor has never sent one. */
  let isNoneHandedOut = false;
  let hasGivenUp = false;
  /** The time since which every call has failed or met a rate limit. Null while calls succeed. */
  let troubledSince: number | null = null;

  /** Repeats one call, spaced by the gate, until the vendor answers it. */
  async function recover(kind: CallKind): Promise<void> {
    const probe = kind === 'list' ? probeList : await documentProbe();
    while (probe !== null && gate.failures(kind) > 0) {
      assertPatience();
      await calls.once(kind, probe);
    }
  }

  const probeList: Call<EnvelopePage> = (access) =>
    vendor.listCompleted(access, { from: new Date(running.vendorImport.list_from), position: 0, count: 1 }, signal);

  /**
   * Chooses the call that shows whether the vendor hands out documents: one that it has sent before. If there is none
   * and only one or two envelopes fail, the list decides. If more fail it returns null, and each envelope is tried in turn.
   */
  async function documentProbe(): Promise<Call<unknown> | null> {
    const envelopeId = handedOut ?? (await findImported(database, accountId));
    if (envelopeId === null) {
      if (failing.size < failuresOfVendor) return probeList;
      isNoneHandedOut = true;
      return null;
    }
    return async (access) => {
      const answer = await vendor.openDocument(access, envelopeId, signal);
      if (answer.kind === 'done') answer.value.body.destroy();
      return answer;
    };
  }

  function isLongTroubled(): boolean {
    const now = world.clock.now().getTime();
    troubledSince ??= now;
    return now - troubledSince > troubleMsMin;
  }

  function assertPatience(): void {
    if (isLongTroubled()) assertProgress(running.vendorImport, world.clock.now());
  }

  async function ask<Value>(kind: CallKind, call: Call<Value>): Promise<VendorReply<Value>> {
    for (;;) {
      const answer = await calls.once(kind, call);
      if (answer?.kind === 'done' || answer?.kind === 'refused') {
        troubledSince = null;
        return answer;
      }
      assertPatience();
      if (answer?.kind === 'limited') continue;
      return { kind: 'trouble', isItself: answer !== null && gate.failures(kind) < failuresOfVendor };
    }
  }

  /** Once true it stays true until a document comes, because every envelope that fails for it counts as progress. */
  async function isGivenUp(): Promise<boolean> {
    const since = new Date(running.vendorImport.progressed_at).getTime();
    const isOver = world.clock.now().getTime() - since > noneHandedOutMsMax && isLongTroubled();
    if (isNoneHandedOut && !hasGivenUp && isOver) {
      hasGivenUp = (await calls.once('list', probeList))?.kind === 'done';
    }
    return isNoneHandedOut && hasGivenUp;
  }

  /** A 401 that remains with a token that can still list concerns this envelope alone: `permission_denied`. */
  function documentCall(envelopeId: string): Call<OpenedDocument> {
    let refusals = 0;
    return async (access) => {
      try {
        return await vendor.openDocument(access, envelopeId, signal);
      } catch (error) {
        refusals += 1;
        if (!(error instanceof VendorTokenRefused) || refusals <= tokenRefusalsMax) throw error;
      }
      const answer = await probeList(access, signal);
      return answer.kind === 'done' ? { kind: 'refused', why: 'permission_denied', limits: answer.limits } : answer;
    };
  }

  async function recovered(kind: CallKind): Promise<void> {
    if (gate.failures(kind) < failuresOfVendor) return;
    recovery[kind] ??= recover(kind).finally(() => {
      recovery[kind] = null;
    });
    await recovery[kind];
  }

  return {
    async list(query) {
      const asked = await ask('list', (access) => vendor.listCompleted(access, query, signal));
      if (asked.kind === 'trouble') await recovered('list');
      return asked;
    },
    async open(envelopeId) {
      const asked = await ask('document', documentCall(envelopeId));
      if (asked.kind === 'trouble') {
        failing.add(envelopeId);
        await recovered('document');
        return (await isGivenUp()) ? { kind: 'refused', why: 'unanswered' } : asked;
      }
      failing.clear();
      if (asked.kind === 'done') {
        handedOut = envelopeId;
        isNoneHandedOut = false;
      }
      return asked;
    },
  };
}

/** Returns the vendor's id of an envelope that the account has imported before, or null. */
async function findImported(db: Queryable, accountId: string): Promise<string | null> {
  const [row] = await db.query<{ envelope_id: string }>({
    name: 'find_imported_envelope',
    text: 'select envelope_id from imported_envelopes where account_id = $1 order by envelope_id limit 1',
    values: [accountId],
  });
  return row?.envelope_id ?? null;
}
