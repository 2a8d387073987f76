import { Refusal } from '../../errors.ts';
import { isUuid } from '../../platform/ids.ts';

const idLengthShown = 60;

/** Returns the row that `find` returns for an id. A missing row and a malformed id are both a `Refusal` (exit 1). */
export async function byId<Found>(kind: string, id: string, find: () => Promise<Found | null>): Promise<Found> {
  const found = isUuid(id) ? await find() : null;
  if (found === null) throw noSuch(kind, id);
  return found;
}

export function noSuch(kind: string, id: string): Refusal {
  const shown = id.length > idLengthShown ? `${id.slice(0, idLengthShown)}…` : id;
  return new Refusal(`there is no ${kind} with the id "${shown}"`);
}
