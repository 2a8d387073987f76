/** A generator of numbers that repeats itself for the same seed (mulberry32). */
export interface Dice {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  return {
    below(below) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
    },
  };
}

export interface Corpus {
  seeds: readonly Uint8Array[];
  /** Words of the format, which are inserted or overwrite other bytes. */
  dictionary: readonly string[];
}

const stepsMax = 6;
const bytesMax = 2 ** 20;
const edges = [0x00, 0x01, 0x7f, 0x80, 0xff, 0x20, 0x0a, 0x22, 0x2d, 0x30];

/** Returns one seed of the corpus, changed in one to six places. */
export function mutate({ seeds, dictionary }: Corpus, dice: Dice): Buffer {
  const pick = <T>(list: readonly T[]) => list[dice.below(list.length)] as T;
  let bytes = Buffer.from(pick(seeds));
  for (let step = dice.below(stepsMax); step >= 0; step -= 1) {
    const at = dice.below(bytes.length + 1);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const length = 1 + dice.below(Math.max(1, Math.min(after.length, 1 << dice.below(12))));
    const change = dice.below(9);
    if (change === 0 && after.length > 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8));
    else if (change === 1 && after.length > 0) bytes[at] = pick(edges);
    else if (change === 2) bytes = Buffer.concat([before, after.subarray(length)]);
    else if (change === 3) bytes = Buffer.concat([before, after.subarray(0, length), after]);
    else if (change === 4) bytes = Buffer.from(before);
    else if (change === 5) bytes = splice(before, Buffer.from(pick(seeds)), dice);
    else if (change === 6) bytes = changeNumber(bytes, at, dice);
    else if (dictionary.length > 0) {
      const word = Buffer.from(pick(dictionary), 'latin1');
      bytes = Buffer.concat([before, word, change === 7 ? after : after.subarray(word.length)]);
    }
    bytes = bytes.subarray(0, bytesMax);
  }
  return bytes;
}

function splice(before: Buffer, other: Buffer, dice: Dice): Buffer<ArrayBuffer> {
  return Buffer.concat([before, other.subarray(dice.below(other.length + 1))]);
}

const numbers = ['0', '-1', '1', '4294967295', '2147483648', '99999999999999999999', '1e309', '0.0000001'];

/** Replaces the next decimal number after `at`: offsets, lengths, object numbers, JSON numbers. */
function changeNumber(bytes: Buffer, at: number, dice: Dice): Buffer<ArrayBuffer> {
  const found = /\d+/.exec(bytes.subarray(at, at + 4096).toString('latin1'));
  if (found === null) return Buffer.from(bytes);
  const from = at + found.index;
  const number =
    dice.below(2) === 0 ? numbers[dice.below(numbers.length)] : String(Number(found[0]) + dice.below(5) - 2);
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(String(number)), bytes.subarray(from + found[0].length)]);
}
