import { readdirSync, readFileSync } from 'node:fs';

/** The unit of the times in /proc. */
const msPerTick = 10;

/** The processor time of a process, its children and those that have ended, in milliseconds. Linux only. */
export function computedMs(root: number): number {
  const children = new Map<number, number[]>();
  const ms = new Map<number, number>();
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const stat = statOf(pid);
    if (stat === null) continue;
    const [, parent, ...rest] = stat;
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), pid]);
    const times = rest.slice(9, 13).map(Number); // own and children's, in user and kernel mode
    ms.set(pid, times.reduce((sum, ticks) => sum + ticks, 0) * msPerTick);
  }
  const total = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + total(child), ms.get(pid) ?? 0);
  return total(root);
}

/** The fields of a process from its state on, or null when it has ended. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
