import { fill } from '../language.ts';
import { detailText } from './detail-texts.ts';
import type { DocumentDetail, RecipientView } from './types.ts';

/**
 * Names the step of each recipient who signs or approves in turn, by id. Steps count from 1 without gaps, whatever numbers
 * the API was given. Empty if all sign at once or only one person signs. Copies are sent at the end, in no step.
 */
export function signingSteps({
  sign_order_mode,
  recipients,
}: Pick<DocumentDetail, 'sign_order_mode' | 'recipients'>): Map<RecipientView['id'], string> {
  const signers = recipients.filter(({ kind }) => kind !== 'cc');
  if (sign_order_mode !== 'sequential' || signers.length < 2) return new Map();
  const turns = [...new Set(signers.map(({ sign_order }) => sign_order))].toSorted((a, b) => a - b);
  return new Map(
    signers.map(({ id, sign_order }) => [id, fill(detailText.step, { n: turns.indexOf(sign_order) + 1 })]),
  );
}
