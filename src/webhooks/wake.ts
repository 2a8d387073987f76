/** The NOTIFY channel of workers. Code that enqueues deliveries or resumes an endpoint notifies it. */
export const deliveriesChannel = 'webhook_deliveries';

/**
 * SQL of the time at which a delivery is due at once. `now`: the parameter with this process's time, whose clock may be ahead of that
 * of the worker. Claims compare milliseconds.
 */
export function dueAtOnce(now: string): string {
  return `least(${now}, date_trunc('milliseconds', clock_timestamp()))`;
}
