import { expect, test } from 'vitest';
import { untoldLimits } from '../../esign/vendor/limits.ts';
import { type CallKind, createVendorGate } from './vendor-gate.ts';

/** A gate whose time the test moves; `isOpen` tells whether a call may be made at this moment. */
function gateAt() {
  let now = 1000;
  const gate = createVendorGate(() => now);
  return {
    gate,
    later: (ms: number) => {
      now += ms;
    },
    async isOpen(kind: CallKind = 'document'): Promise<boolean> {
      const given = new AbortController();
      const passing = gate.pass(kind, given.signal).then(
        () => true,
        () => false,
      );
      await Promise.resolve();
      given.abort();
      return passing;
    },
  };
}

test('it stays shut for as long as the vendor asks', async () => {
  const { gate, later, isOpen } = gateAt();
  expect(await isOpen()).toBe(true);
  gate.answered('document', { ...untoldLimits, retryMs: 5000 }, true);
  later(4999);
  expect(await isOpen()).toBe(false);
  later(1);
  expect(await isOpen()).toBe(true);
});

test('a vendor that refuses again and again, and asks for next to no wait, is asked less and less often', async () => {
  const { gate, later, isOpen } = gateAt();
  for (const ms of [250, 500, 1000]) {
    for (let call = 0; call < 3; call += 1) expect(await isOpen()).toBe(true);
    for (let call = 0; call < 3; call += 1) gate.answered('document', { ...untoldLimits, retryMs: 250 }, true);
    later(ms - 1);
    expect(await isOpen()).toBe(false);
    later(1);
  }
  gate.answered('document', untoldLimits, true);
  gate.answered('document', { ...untoldLimits, retryMs: 250 }, true);
  later(250);
  expect(await isOpen()).toBe(true);
});

test('it lets no more calls through than the hour has left, and all of them when it is renewed', async () => {
  const { gate, later, isOpen } = gateAt();
  expect(await isOpen()).toBe(true);
  gate.answered('document', { ...untoldLimits, callsLeft: 2, renewalMs: 60_000 }, true);
  expect([await isOpen(), await isOpen(), await isOpen()]).toEqual([true, true, false]);
  later(60_000);
  expect([await isOpen(), await isOpen(), await isOpen()]).toEqual([true, true, true]);
});

test('three failures in a row shut it for all, each further one for twice as long, until one call is answered', async () => {
  const { gate, later, isOpen } = gateAt();
  const fail = async () => {
    expect(await isOpen()).toBe(true);
    gate.answered('document', untoldLimits, false);
  };
  for (let failure = 0; failure < 3; failure += 1) await fail();
  for (const ms of [500, 1000, 2000]) {
    later(ms - 1);
    expect(await isOpen()).toBe(false);
    later(1);
    await fail();
  }
  later(4000);
  expect(await isOpen()).toBe(true);
  gate.answered('document', untoldLimits, true);
  expect(gate.failures('document')).toBe(0);
  expect(await isOpen()).toBe(true);
});

test('calls that fail together count as one pause', async () => {
  const { gate, later, isOpen } = gateAt();
  for (let call = 0; call < 6; call += 1) expect(await isOpen()).toBe(true);
  for (let call = 0; call < 6; call += 1) gate.answered('document', untoldLimits, false);
  later(500);
  expect(await isOpen()).toBe(true);
});

test('documents that fail do not hold up the list, and a list that is answered does not open the gate for them', async () => {
  const { gate, later, isOpen } = gateAt();
  for (let call = 0; call < 3; call += 1) expect(await isOpen()).toBe(true);
  for (let call = 0; call < 3; call += 1) gate.answered('document', untoldLimits, false);
  expect([await isOpen(), await isOpen('list')]).toEqual([false, true]);
  gate.answered('list', untoldLimits, true);
  expect([await isOpen(), gate.failures('document'), gate.failures('list')]).toEqual([false, 3, 0]);
  later(500);
  expect(await isOpen()).toBe(true);
});
