import { VendorTokenRefused } from '../../world/esign-token-refused.ts';
import type { EnvelopePage, EnvelopeQuery, OpenedDocument, VendorRefusal } from '../../world/esign-vendor.ts';
import type { ImportDeps } from '../import-deps.ts';
import { findImported } from './find-imported.ts';
import { type Call, createVendorCalls } from './vendor-calls.ts';
import type { CallKind, VendorGate } from './vendor-gate.ts';
import { assertProgress, type RunningVendorImport } from './vendor-import.ts';

/** What asking came to when the vendor's limits were waited for. */
export type Asked<Value> =
  | { kind: 'done'; value: Value }
  | { kind: 'refused'; why: VendorRefusal | 'unanswered' }
  /** Worth another attempt. `isItself`: the vendor answers others meanwhile. */
  | { kind: 'trouble'; isItself: boolean };

/**
 * Asks the vendor in the name of a sweep's connection, as fast as it lets us. Throws `VendorImportEnded` and `VendorImportPaused` for a
 * connection that is gone or refused, and when told to stop.
 */
export interface VendorClient {
  list(query: EnvelopeQuery): Promise<Asked<EnvelopePage>>;
  open(envelopeId: string): Promise<Asked<OpenedDocument>>;
}

/** So many calls in a row, or so many envelopes, fail only where the vendor does. */
const failuresOfVendor = 3;
/** But where the list is well, and no document was ever handed out, not for longer than this: it is the envelopes then. */
const noneHandedOutMsMax = 6 * 3_600_000;
/** By then the token was a fresh one, and the API has had a second to hear of it. */
const tokenRefusalsMax = 3;
/** A machine that wakes after weeks, or a clock that leaps, has not waited for the vendor meanwhile. */
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
  /** The envelopes whose documents failed since any were handed out. */
  const failing = new Set<string>();
  let handedOut: string | null = null;
  /** Documents fail, and none was ever handed out. */
  let isNoneHandedOut = false;
  let isHopeless = false;
  /** Since when no call was answered that was not for its limits. */
  let troubledSince: number | null = null;

  /** One call after another, as far apart as the gate says, until one is answered. */
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
   * A document that the vendor could hand out once. Where there is none, and only one or two envelopes fail, the list
   * tells whether it is they or the vendor; where more do, null: each that is tried in its turn shows whether it is well.
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

  async function ask<Value>(kind: CallKind, call: Call<Value>): Promise<Asked<Value>> {
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

  /** It stays so until one is handed out: each envelope that fails by it is progress of a kind. */
  async function isGivenUp(): Promise<boolean> {
    const since = new Date(running.vendorImport.progressed_at).getTime();
    const isOver = world.clock.now().getTime() - since > noneHandedOutMsMax && isLongTroubled();
    if (isNoneHandedOut && !isHopeless && isOver) {
      isHopeless = (await calls.once('list', probeList))?.kind === 'done';
    }
    return isNoneHandedOut && isHopeless;
  }

  /** What goes on being answered with 401 is meant for the envelope alone where the same token still lists. */
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
