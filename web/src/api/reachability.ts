import { createFlag } from './flag.ts';

/** Whether the service answers. Pages say so while it does not, and read again once it does. */
const away = createFlag();
const waitMsMin = 1000;
const waitMsMax = 10_000;
const answerWithinMs = 5000;

export const reachability = { isAway: away.isSet, subscribe: away.subscribe };

/** Call it after a request without an answer. The service is then asked again and again until it answers. */
export function reportNoAnswer(): void {
  if (away.isSet()) return;
  away.set(true);
  void waitForAnswer();
}

/** Resolves when the service answers, at once if it does now. */
export async function untilServiceAnswers(): Promise<void> {
  if (!away.isSet() && (await doesAnswer())) return;
  reportNoAnswer();
  await new Promise<void>((resolve) => {
    const stop = reachability.subscribe(() => {
      stop();
      resolve();
    });
  });
}

async function waitForAnswer(): Promise<void> {
  for (let waitMs = waitMsMin; ; waitMs = Math.min(waitMs * 1.5, waitMsMax)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (await doesAnswer()) break;
  }
  away.set(false);
}

/** An answer of a proxy, 502 to 504, is none of the service. */
export function isNoAnswer(status: number): boolean {
  return status >= 502 && status <= 504;
}

async function doesAnswer(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const headers = { 'countersign-active': 'false' }; // nobody asked for this, so it keeps no session
    const { status } = await fetch('/console/api/session', { cache: 'no-store', signal, headers });
    return !isNoAnswer(status);
  } catch {
    return false;
  }
}
