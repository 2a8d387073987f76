import { blockTargets } from './block-targets.ts';
import { byteTargets } from './byte-targets.ts';
import { keepFinding } from './findings.ts';
import { openHttpTargets } from './http-targets.ts';
import { createDice, mutate } from './mutate.ts';
import { passkeyTargets } from './passkey-targets.ts';
import { openPdfTargets } from './pdf-targets.ts';
import { signatureTargets } from './signature-targets.ts';
import { tryInput } from './target.ts';
import { textTargets } from './text-targets.ts';

/**
 * Feeds changed inputs to every parser of strangers' bytes, for FUZZ_SECONDS (600 by default). FUZZ_SEED repeats a run's
 * inputs; FUZZ_TARGET limits it to one target. An input that breaks its target is written to test/fuzz/findings.
 */
const seconds = Number(process.env.FUZZ_SECONDS ?? 600);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 32);
/** One turn is one input for a PDF target, and many inputs for the others, which take microseconds. */
const inputsPerTurn = 200;
const turnMs = 500;
const findingsPerTargetMax = 5;

console.log(`FUZZ_SEED=${seed}, ${seconds} s`);
const [pdf, http] = await Promise.all([openPdfTargets(), openHttpTargets()]);
const quick = [
  ...textTargets,
  ...blockTargets,
  ...byteTargets,
  ...signatureTargets,
  ...passkeyTargets,
  ...http.targets,
];
let tellRejection: (error: unknown) => void = () => {};
process.on('unhandledRejection', (error) => tellRejection(error));

const runs = [...quick, ...pdf.targets]
  .filter(({ name }) => process.env.FUZZ_TARGET === undefined || name === process.env.FUZZ_TARGET)
  .map((target, index) => ({ target, dice: createDice(seed + index), inputs: 0, findings: 0 }));
if (runs.length === 0) throw new Error(`there is no target ${process.env.FUZZ_TARGET}`);

const end = performance.now() + seconds * 1000;
while (performance.now() < end) {
  for (const run of runs) {
    const count = pdf.targets.includes(run.target) ? 1 : inputsPerTurn;
    const turnEnd = performance.now() + turnMs;
    for (let i = 0; i < count && run.findings < findingsPerTargetMax; i += 1) {
      if (i > 0 && performance.now() > turnEnd) break;
      const input = mutate(run.target, run.dice);
      run.inputs += 1;
      const failure = await tryHearing(() => tryInput(run.target, input));
      if (failure === null) continue;
      run.findings += 1;
      console.log(`FOUND ${run.target.name}: ${failure}\n  ${keepFinding(run.target.name, input)}`);
    }
  }
}
await Promise.all([pdf.close(), http.close()]);

for (const { target, inputs, findings } of runs) console.log(`${target.name}: ${inputs} inputs, ${findings} findings`);
process.exit(runs.some(({ findings }) => findings > 0) ? 1 : 0);

/** Counts an unhandled rejection as a finding of the input that was being tried. */
async function tryHearing(work: () => Promise<void>): Promise<string | null> {
  let rejected: string | null = null;
  tellRejection = (error) => {
    rejected = `unhandled rejection: ${error}`;
  };
  try {
    await work();
    await new Promise((resolve) => setImmediate(resolve));
    return rejected;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
