import { recipientActor } from '../actor.ts';
import type { ChainedEntry } from '../documents/audit.ts';
import { valuesSha256 } from '../documents/field.ts';
import type { OpenedPdf } from '../pdf/reading/open-pdf.ts';
import { type Finding, finding } from './findings.ts';
import { asArray, asObject, asText } from './json-values.ts';

/** Name of an embedded file. Sealing writes it in `signing/signed-values.ts`. */
const valuesFile = 'values.json';
const fileBytesMax = 16 * 2 ** 20;

/**
 * Checks the embedded values of the fields against the SHA-256 in each recipient's entry of the audit trail. Throws when
 * the values cannot be read. Returns no finding for a document without fields.
 */
export function examineValues(
  trail: readonly ChainedEntry[],
  recipients: ReadonlyArray<{ id: string; name: string }>,
  attachment: OpenedPdf['attachment'],
): Finding[] {
  const signatures = trail.filter(({ detail }) => typeof detail.fields_sha256 === 'string');
  if (signatures.length === 0) return [];
  const embedded = attachment(valuesFile);
  if (embedded === null) return [finding('no_values')];
  const values = readValues(embedded);
  const differing = signatures.filter(
    ({ actor, detail }) => valuesSha256(values.get(actor) ?? []) !== detail.fields_sha256,
  );
  const signers = new Set<string>(signatures.map(({ actor }) => actor));
  const strangers = [...values.keys()].filter((actor) => !signers.has(actor));
  const nameOf = (actor: string) => recipients.find(({ id }) => actor === recipientActor(id))?.name ?? actor;
  const wrong = [...new Set([...differing.map(({ actor }) => actor), ...strangers])].map((actor) =>
    finding('values_not_as_signed', { recipient: nameOf(actor) }),
  );
  const fields = [...values.values()].flat().length;
  return wrong.length > 0 ? wrong : [finding('values_as_signed', { fields })];
}

/** Reads the values, by the actor in the audit trail. */
function readValues(file: Buffer): Map<string, Array<{ id: string; value: string }>> {
  if (file.length > fileBytesMax) throw new Error('too much for the values of a document');
  const found = asArray(JSON.parse(file.toString())).map((item) => {
    const { recipient_id, values } = asObject(item);
    const read = asArray(values).map((value) => {
      const field = asObject(value);
      return { id: asText(field.id), value: asText(field.value) };
    });
    return [recipientActor(asText(recipient_id)), read] as const;
  });
  return new Map(found);
}
