import { afterAll, describe, expect, test } from 'vitest';
import { blockTargets } from './block-targets.ts';
import { byteTargets } from './byte-targets.ts';
import { keptFindings } from './findings.ts';
import { openHttpTargets } from './http-targets.ts';
import { createDice, mutate } from './mutate.ts';
import { passkeyTargets } from './passkey-targets.ts';
import { openPdfTargets } from './pdf-targets.ts';
import { signatureTargets } from './signature-targets.ts';
import { tryInput } from './target.ts';
import { textTargets } from './text-targets.ts';

const [pdf, http] = await Promise.all([openPdfTargets(), openHttpTargets()]);
afterAll(() => Promise.all([pdf.close(), http.close()]));
const quick = [
  ...textTargets,
  ...blockTargets,
  ...byteTargets,
  ...signatureTargets,
  ...passkeyTargets,
  ...http.targets,
];

describe('inputs that once broke a parser', () => {
  for (const target of [...quick, ...pdf.targets]) {
    for (const { name, input } of keptFindings(target.name)) {
      test(`${target.name} ${name}`, () => tryInput(target, input));
    }
  }
});

describe('a few changed inputs', () => {
  test.each(quick)('$name', async (target) => {
    const dice = createDice(1);
    // Ten at once, because some forms wait for half a second. More would take their time from each other.
    for (let round = 0; round < 10; round += 1) {
      const inputs = Array.from({ length: 10 }, () => mutate(target, dice));
      await Promise.all(inputs.map((input) => tryInput(target, input)));
    }
  });

  test.each(pdf.targets)('$name', async (target) => {
    const dice = createDice(1);
    for (let i = 0; i < 3; i += 1) await tryInput(target, mutate(target, dice));
  });
});

test('a seed repeats its inputs', () => {
  const [target] = pdf.targets;
  if (target === undefined) throw new Error('there is no target');
  const inputs = (seed: number) => {
    const dice = createDice(seed);
    return Array.from({ length: 20 }, () => mutate(target, dice).toString('latin1'));
  };
  expect(inputs(7)).toEqual(inputs(7));
  expect(inputs(7)).not.toEqual(inputs(8));
});
