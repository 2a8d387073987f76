import type { Clock } from './clock.ts';
import type { NewId } from './ids.ts';
import type { Log } from './log.ts';
import type { Random } from './random.ts';

/** Outside dependencies of every part of the service. Adapters that few parts need (mail, files, PDF) are passed separately. */
export interface World {
  clock: Clock;
  random: Random;
  newId: NewId;
  log: Log;
}
