import { Refusal } from '../errors.ts';
import { isUuid } from '../world/ids.ts';

const idLengthShown = 60;

/** What `find` returns for an id. None, and none possible, are the same answer: there is no such thing (exit 1). */
export async function byId<Found>(kind: string, id: string, find: () => Promise<Found | null>): Promise<Found> {
  const found = isUuid(id) ? await find() : null;
  if (found === null) throw noSuch(kind, id);
  return found;
}

export function noSuch(kind: string, id: string): Refusal {
  const shown = id.length > idLengthShown ? `${id.slice(0, idLengthShown)}…` : id;
  return new Refusal(`there is no ${kind} with the id "${shown}"`);
}
