import { readdirSync, readFileSync } from 'node:fs';

/** What a process and those it started take. Linux only. */

/** The unit of the times in /proc. */
const msPerTick = 10;

/** The processor time of a process, its children and those that have ended, in milliseconds. */
export function computedMs(root: number): number {
  let ms = 0;
  for (const { stat } of treeOf(root)) {
    // Own and ended children's, in user and kernel mode.
    for (const ticks of stat.slice(11, 15)) ms += Number(ticks) * msPerTick;
  }
  return ms;
}

/** The memory of a process and its children, in megabytes. What they share is counted once, and only their part of it. */
export function residentMB(root: number): number {
  let kilobytes = 0;
  for (const { pid } of treeOf(root)) {
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readOf(pid, 'smaps_rollup') ?? '')?.[1] ?? 0);
  }
  return kilobytes / 1024;
}

interface Member {
  pid: number;
  /** The fields of /proc/PID/stat from the state on. */
  stat: string[];
}

function treeOf(root: number): Member[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const text = readOf(Number(name), 'stat');
      return text === null ? [] : [{ pid: Number(name), stat: text.slice(text.lastIndexOf(')') + 2).split(' ') }];
    });
  const below = (pid: number): Member[] =>
    all.filter(({ stat }) => Number(stat[1]) === pid).flatMap((child) => [child, ...below(child.pid)]);
  return [...all.filter(({ pid }) => pid === root), ...below(root)];
}

/** Null when the process has ended. */
function readOf(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}
