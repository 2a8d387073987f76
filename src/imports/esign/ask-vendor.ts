import { withVendorAccess } from '../../esign/with-vendor-access.ts';
import { VendorTokenRefused } from '../../world/esign-token-refused.ts';
import type {
  EnvelopePage,
  EnvelopeQuery,
  EsignAccess,
  OpenedDocument,
  VendorAnswer,
  VendorRefusal,
} from '../../world/esign-vendor.ts';
import { untoldLimits } from '../../world/esign-vendor-limits.ts';
import type { ImportMeans } from '../import-means.ts';
import { findImported } from './find-imported.ts';
import { isGivenUp, type RunningSweep } from './sweep.ts';
import { SweepEnded, SweepPaused } from './sweep-ended.ts';
import type { CallKind, VendorGate } from './vendor-gate.ts';

/** What asking came to when the vendor's limits were waited for. */
export type Asked<Value> =
  | { kind: 'done'; value: Value }
  | { kind: 'refused'; why: VendorRefusal }
  /** Worth another attempt. `isItself`: the vendor answers others meanwhile. */
  | { kind: 'trouble'; isItself: boolean };

type Call<Value> = (access: EsignAccess, signal: AbortSignal) => Promise<VendorAnswer<Value>>;

/**
 * Asks the vendor in the name of a sweep's connection, as fast as it lets us. Throws `SweepEnded` and `SweepPaused` for a
 * connection that is gone or refused, and when told to stop.
 */
export interface VendorDesk {
  list(query: EnvelopeQuery): Promise<Asked<EnvelopePage>>;
  open(envelopeId: string): Promise<Asked<OpenedDocument>>;
}

/** So long a token is used again without asking whether it is still the connection's. */
const keptMs = 1000;
/** So many calls in a row, or so many envelopes, fail only where the vendor does. */
const failuresOfVendor = 3;

export function openVendorDesk(
  { world, database, esign, vendor }: Pick<ImportMeans, 'world' | 'database' | 'esign' | 'vendor'>,
  running: RunningSweep,
  gate: VendorGate,
  signal: AbortSignal,
): VendorDesk {
  const { account_id: accountId, vendor_account_id: vendorAccountId } = running.sweep;
  const recovery: Record<CallKind, Promise<void> | null> = { list: null, document: null };
  /** The envelopes whose documents failed since any were handed out. */
  const failing = new Set<string>();
  let handedOut: string | null = null;
  let kept: { access: EsignAccess; until: number } | null = null;

  async function callOnce<Value>(kind: CallKind, call: Call<Value>): Promise<VendorAnswer<Value> | null> {
    if (kept !== null && performance.now() < kept.until) {
      const { access } = kept;
      try {
        return await throughGate(gate, kind, signal, () => call(access, signal));
      } catch (error) {
        if (!(error instanceof VendorTokenRefused)) throw error;
        kept = null;
      }
    }
    const used = await withVendorAccess(
      esign,
      accountId,
      async (access) => {
        if (access.vendorAccountId !== vendorAccountId) throw new SweepEnded('interrupted');
        const answer = await throughGate(gate, kind, signal, () => call(access, signal));
        kept = { access, until: performance.now() + keptMs };
        return answer;
      },
      signal,
    );
    switch (used.kind) {
      case 'used':
        return used.result;
      case 'not_connected':
        throw new SweepEnded('interrupted');
      case 'reconnect_needed':
        assertProgress();
        throw new SweepPaused();
      case 'unavailable':
        await gate.pass(kind, signal);
        gate.answered(kind, untoldLimits, false);
        return null;
    }
  }

  /** One call after another, as far apart as the gate says, until one is answered. */
  async function recover(kind: CallKind): Promise<void> {
    const probe = kind === 'list' ? probeList : await documentProbe();
    while (probe !== null && gate.failures(kind) > 0) {
      assertProgress();
      await callOnce(kind, probe);
    }
  }

  const probeList: Call<unknown> = (access) =>
    vendor.listCompleted(access, { from: new Date(running.sweep.list_from), position: 0, count: 1 }, signal);

  /**
   * A document that the vendor could hand out once. Where there is none, and only one or two envelopes fail, the list
   * tells whether it is they or the vendor; where more do, null: each that is tried in its turn shows whether it is well.
   */
  async function documentProbe(): Promise<Call<unknown> | null> {
    const envelopeId = handedOut ?? (await findImported(database, accountId));
    if (envelopeId === null) return failing.size < failuresOfVendor ? probeList : null;
    return async (access) => {
      const answer = await vendor.openDocument(access, envelopeId, signal);
      if (answer.kind === 'done') answer.value.body.destroy();
      return answer;
    };
  }

  function assertProgress(): void {
    if (isGivenUp(running.sweep, world.clock.now())) throw new SweepEnded('source_unavailable');
  }

  async function ask<Value>(kind: CallKind, call: Call<Value>): Promise<Asked<Value>> {
    for (;;) {
      const answer = await callOnce(kind, call);
      if (answer?.kind === 'limited') continue;
      if (answer?.kind === 'done' || answer?.kind === 'refused') return answer;
      assertProgress();
      return { kind: 'trouble', isItself: answer !== null && gate.failures(kind) < failuresOfVendor };
    }
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
      const asked = await ask('document', (access) => vendor.openDocument(access, envelopeId, signal));
      if (asked.kind === 'trouble') {
        failing.add(envelopeId);
        await recovered('document');
        return asked;
      }
      failing.clear();
      if (asked.kind === 'done') handedOut = envelopeId;
      return asked;
    },
  };
}

async function throughGate<Value>(
  gate: VendorGate,
  kind: CallKind,
  signal: AbortSignal,
  call: () => Promise<VendorAnswer<Value>>,
): Promise<VendorAnswer<Value>> {
  await gate.pass(kind, signal);
  let answer: VendorAnswer<Value> | null = null;
  try {
    answer = await call();
    return answer;
  } finally {
    // A refused token and a call that was stopped say nothing of how the vendor is.
    gate.answered(kind, answer?.limits ?? untoldLimits, answer?.kind !== 'trouble');
  }
}
