import type { Clock } from './clock.ts';
import type { NewId } from './ids.ts';
import type { Log } from './log.ts';
import type { Random } from './random.ts';

/** What every part of the service needs from outside itself. Adapters that few need (mail, files, PDF) are passed beside it. */
export interface World {
  clock: Clock;
  random: Random;
  newId: NewId;
  log: Log;
}
