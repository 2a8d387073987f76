/** What the work comes to, or `late` when that takes longer. The work itself goes on. */
export function within<T>(ms: number, work: Promise<T>, late: T): Promise<T> {
  const limit = Promise.withResolvers<T>();
  const timer = setTimeout(() => limit.resolve(late), ms);
  return Promise.race([work, limit.promise]).finally(() => clearTimeout(timer));
}
