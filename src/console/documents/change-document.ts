import { type Actor, personActor } from '../../actor.ts';
import { FormulaRefusal } from '../../documents/check-formulas.ts';
import type { Document } from '../../documents/document.ts';
import { Refusal } from '../../errors.ts';
import type { Tx } from '../../postgres/database.ts';
import type { ConsoleDeps, MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import type { DocumentDetail } from './document-views.ts';
import { lockOwnDocument } from './own-document.ts';
import { viewDocument } from './view-document.ts';

/** Changes the locked document in one transaction. Throws `refused` if a rule forbids the change, and `formula_unfit`. */
export async function change(
  deps: ConsoleDeps,
  call: MemberCall<unknown>,
  apply: (tx: Tx, document: Document) => Promise<void>,
): Promise<DocumentDetail> {
  return refusing(() =>
    deps.db.transaction(async (tx) => {
      const document = await lockOwnDocument(tx, call);
      await apply(tx, document);
      return viewDocument(deps, tx, call, document);
    }),
  );
}

/** Turns the refusal of a rule of documents into `refused`. */
export async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FormulaRefusal) throw error;
    if (error instanceof Refusal) throw new ConsoleError('refused', { cause: error });
    throw error;
  }
}

/** Returns the actor for the audit trail. */
export function actorOf({ caller }: MemberCall<unknown>): Actor {
  return personActor(caller.person.id);
}
