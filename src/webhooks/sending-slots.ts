import type { AnswerPace, ClaimedDelivery } from './delivery.ts';

/** The share of a worker for endpoints of one pace. */
export interface Lane {
  answers: AnswerPace;
  /** Maximum of deliveries under way. The last `slotsReserved` are only for endpoints that have none yet. */
  slots: number;
  slotsReserved: number;
  /** Maximum under way to one endpoint, however many deliveries are pending. */
  perEndpoint: number;
  perFailingEndpoint: number;
  /** Deliveries in one claim. New connections start together, and a burst of them delays every other lane. */
  claimMax: number;
  /** Minimum time between two claims. Under load each claim then takes a batch. An idle lane claims at once. */
  claimPaceMs: number;
  /** After a claim the lane rests this many times as long as it took, so that the lanes cannot use up the database. */
  restFactor: number;
}

/**
 * All slow endpoints share the last lane, whatever their number. A new endpoint starts with one delivery and changes lanes
 * after its first answer.
 */
/* biome-ignore format: a table reads as a table */
export const lanes: readonly Lane[] = [
  { answers: 'promptly', slots: 512, slotsReserved: 128, perEndpoint: 32, perFailingEndpoint: 2, claimMax: 512, claimPaceMs: 5,   restFactor: 1 },
  { answers: 'unknown',  slots: 256, slotsReserved: 64,  perEndpoint: 1,  perFailingEndpoint: 1, claimMax: 32,  claimPaceMs: 20,  restFactor: 4 },
  { answers: 'slowly',   slots: 64,  slotsReserved: 16,  perEndpoint: 16, perFailingEndpoint: 2, claimMax: 64,  claimPaceMs: 100, restFactor: 8 },
];

/** A delivery that waits longer for its answer gives its slot back, up to `lateMax` deliveries. */
const lateMs = 250;
const lateMax = 1024;

export interface SendingSlots {
  free(lane: Lane): number;
  /** Deliveries under way to each endpoint. */
  readonly underWay: ReadonlyMap<string, number>;
  /** Takes a slot. Returns a function that gives it back. */
  take(claimed: Pick<ClaimedDelivery, 'endpoint_id' | 'answers'>): () => void;
}

/**
 * Counts the deliveries under way of one worker. Calls `onFree` when a slot becomes free. The slow lane gives no slot back
 * early, because all of its deliveries are late.
 */
export function createSendingSlots(onFree: () => void): SendingSlots {
  const underWay = new Map<string, number>();
  const taken: Record<AnswerPace, number> = { unknown: 0, promptly: 0, slowly: 0 };
  let late = 0;

  return {
    free: ({ answers, slots }) => slots - taken[answers],
    underWay,
    take({ endpoint_id, answers }) {
      underWay.set(endpoint_id, (underWay.get(endpoint_id) ?? 0) + 1);
      taken[answers] += 1;
      let isLate = false;
      const becomeLate = () => {
        if (late >= lateMax) return;
        isLate = true;
        late += 1;
        taken[answers] -= 1;
        onFree();
      };
      const timer = answers === 'slowly' ? undefined : setTimeout(becomeLate, lateMs);
      return () => {
        clearTimeout(timer);
        if (isLate) late -= 1;
        else taken[answers] -= 1;
        const left = (underWay.get(endpoint_id) ?? 1) - 1;
        if (left === 0) underWay.delete(endpoint_id);
        else underWay.set(endpoint_id, left);
        onFree();
      };
    },
  };
}
