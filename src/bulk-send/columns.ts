import type { Field } from '../documents/field.ts';
import { needsEmail, needsPhone, type Recipient } from '../documents/recipient.ts';
import type { Language } from '../platform/language.ts';

/** The columns of a CSV file for a template: what each fills in, and the names it may have. */

const parts = ['name', 'email', 'phone'] as const;
type Part = (typeof parts)[number];

/** A column that the template can use. */
export interface TemplateColumn {
  /** What it fills in: `title`, `message`, a recipient's id with a part, such as `… email`, or `value` with a field's label. */
  target: string;
  /** Its name in the sample, in both languages. */
  label: Record<Language, string>;
  /** Whether each row must have a value. */
  isRequired: boolean;
  /** Whether the sample has it. */
  isSampled: boolean;
  /** The names by which it is found, as `plainName` returns them. */
  names: string[];
}

type TemplateRecipient = Pick<
  Recipient,
  'id' | 'display_name' | 'email' | 'phone' | 'party_role' | 'channel' | 'auth_level'
>;

const words: Record<Part | 'title' | 'message', { en: string; es: string; others: string[] }> = {
  name: { en: 'name', es: 'nombre', others: ['full name', 'nombre completo'] },
  email: {
    en: 'email',
    es: 'correo',
    others: ['e mail', 'mail', 'email address', 'e mail address', 'correo electronico'],
  },
  phone: { en: 'phone', es: 'teléfono', others: ['telefono', 'phone number', 'mobile', 'movil'] },
  title: { en: 'Title', es: 'Título', others: ['title', 'titulo', 'document title'] },
  message: { en: 'Message', es: 'Mensaje', others: ['message', 'mensaje'] },
};

/** The names of the two columns in front of a file of unsent rows, which fill in nothing. */
export const unsentHeads: Record<Language, [string, string]> = { en: ['Row', 'Problem'], es: ['Fila', 'Problema'] };

/** Returns whether the rows must name the recipient: a role of the template without contact details. */
export function isOpen({ email, phone }: Pick<Recipient, 'email' | 'phone'>): boolean {
  return !email && !phone;
}

/** Returns whether each row must have a value of the recipient: it is needed, and the template has none. */
export function isMissing(recipient: TemplateRecipient, part: Part): boolean {
  if (part === 'name') return isOpen(recipient);
  const isNeeded = part === 'email' ? needsEmail(recipient) : needsPhone(recipient);
  return isNeeded && !recipient[part];
}

/** What `templateColumns` needs to know of a field. */
export type LabelledField = Pick<Field, 'label' | 'preset'>;

/** Returns all columns that a template can use, recipients first. */
export function templateColumns(
  recipients: readonly TemplateRecipient[],
  fields: readonly LabelledField[] = [],
): TemplateColumn[] {
  const labels = labelsOf(recipients);
  const open = recipients.filter(isOpen);
  const columns = [
    ...recipients.flatMap((recipient, index) => {
      const isOnly = open.length === 1 && open[0] === recipient;
      return parts.map((part) => recipientColumn(recipient, labels[index] as string, part, isOnly));
    }),
    ...(['title', 'message'] as const).map((target): TemplateColumn => {
      const { en, es, others } = words[target];
      return { target, label: { en, es }, isRequired: false, isSampled: target === 'title', names: others };
    }),
  ];
  return [...columns, ...valueColumns(fields, new Set(columns.flatMap(({ names }) => names)))];
}

function recipientColumn(recipient: TemplateRecipient, label: string, part: Part, isOnly: boolean): TemplateColumn {
  const { en, es, others } = words[part];
  const named = [en, plainName(es), ...others];
  return {
    target: `${recipient.id} ${part}`,
    label: { en: `${label} ${en}`, es: `${label} ${es}` },
    isRequired: isMissing(recipient, part),
    isSampled: isMissing(recipient, part),
    names: [
      ...named.flatMap((word) => [plainName(`${label} ${word}`), plainName(`${word} ${label}`)]),
      ...(isOnly ? named : []),
    ],
  };
}

/**
 * Returns a column for each label of fields that have a value of the sender. Fields with the same label share it. A label that
 * is the name of another column, such as Title, needs `Field:` in front. So does one that is in front of files of unsent rows,
 * such as Row, but it is also found without: files from before had it so.
 */
function valueColumns(fields: readonly LabelledField[], taken: ReadonlySet<string>): TemplateColumn[] {
  const labels = new Map<string, string>();
  for (const field of fields) {
    const target = valueTarget(field);
    if (target !== null && !labels.has(target)) labels.set(target, field.label ?? '');
  }
  const heads = new Set(Object.values(unsentHeads).flat().map(plainName));
  return [...labels].map(([target, label]) => {
    const name = plainName(label);
    const isTaken = taken.has(name) || heads.has(name);
    const written = isTaken ? { en: `Field: ${label}`, es: `Campo: ${label}` } : { en: label, es: label };
    const names = [...Object.values(written).map(plainName), ...(taken.has(name) ? [] : [name])];
    return { target, label: written, isRequired: false, isSampled: true, names };
  });
}

/** Returns the target of the column that fills in a field, or null: it needs a label and a value to replace. */
export function valueTarget({ label, preset }: LabelledField): string | null {
  if (label === null || preset === null) return null;
  const name = plainName(label);
  return name === '' ? null : `value ${name}`;
}

/** Returns a distinct label for each recipient: the role, or else the name in the template. */
function labelsOf(recipients: readonly TemplateRecipient[]): string[] {
  const used = new Set<string>();
  return recipients.map(({ party_role, display_name }) => {
    const isPart = party_role === null || party_role === 'cc' || party_role === 'approver';
    const label = isPart ? display_name : party_role;
    let distinct = label;
    for (let n = 2; used.has(plainName(distinct)); n += 1) distinct = `${label} ${n}`;
    used.add(plainName(distinct));
    return distinct;
  });
}

/** Returns a column's name without case, accents and punctuation, so that `E-Mail` and `email` are found. */
function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s_\-.:*()/]+/gu, ' ')
    .trim();
}

export interface FoundColumns {
  /** What each column of the file fills in: '' for nothing. */
  targets: string[];
  faults: Array<{ code: 'missing_column' | 'duplicate_column'; label: Record<Language, string> }>;
}

/** Finds what each column of a header fills in. */
export function findColumns(header: readonly string[], columns: readonly TemplateColumn[]): FoundColumns {
  const front = countHeads(header);
  const targets = header.map((name, index) =>
    index < front ? '' : (columns.find(({ names }) => names.includes(plainName(name)))?.target ?? ''),
  );
  const faults: FoundColumns['faults'] = [];
  for (const { target, label, isRequired } of columns) {
    const found = targets.filter((each) => each === target).length;
    if (found > 1) faults.push({ code: 'duplicate_column', label });
    if (found === 0 && isRequired) faults.push({ code: 'missing_column', label });
  }
  return { targets, faults };
}

/** Returns how many columns in front are of files of unsent rows. Files that earlier versions wrote may have them twice. */
export function countHeads(header: readonly string[]): number {
  let front = 0;
  const isPair = (heads: readonly string[]) =>
    heads.every((head, at) => plainName(header[front + at] ?? '') === plainName(head));
  while (Object.values(unsentHeads).some(isPair)) front += 2;
  return front;
}
