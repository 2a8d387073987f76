/** Waits for `work` up to `ms`, then returns `late`. The work itself continues. */
export function within<T>(ms: number, work: Promise<T>, late: T): Promise<T> {
  const limit = Promise.withResolvers<T>();
  const timer = setTimeout(() => limit.resolve(late), ms);
  return Promise.race([work, limit.promise]).finally(() => clearTimeout(timer));
}
