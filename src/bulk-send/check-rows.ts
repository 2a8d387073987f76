import { setImmediate as pause } from 'node:timers/promises';
import { type EditDocumentBody, readEditDocumentBody, readPerson } from '../documents/create-document-body.ts';
import type { Document } from '../documents/document.ts';
import type { Field } from '../documents/field.ts';
import { needsPhone, type Recipient, roleFromName } from '../documents/recipient.ts';
import { ApiError } from '../errors.ts';
import { isMissing, isOpen, valueTarget } from './columns.ts';
import { readCell } from './read-cell.ts';
import type { CsvRow } from './read-csv.ts';

/** What is wrong with a value: it is missing, or the error code of POST /documents. */
export interface RowFault {
  /** The index of the column in the file. Null: the file has no column for it. */
  column: number | null;
  /** What the column fills in, as in `FoundColumns`. Null for a value below no header. */
  target: string | null;
  code: 'missing' | 'no_header' | 'invalid_phone' | FieldFault | 'formula_unfit' | 'person_erased' | ApiError['code'];
}

/** What is wrong with the value of a field, by its type. */
type FieldFault =
  | 'invalid_checkbox'
  | 'invalid_date'
  | 'invalid_number'
  | 'invalid_option'
  | 'invalid_text'
  | 'invalid_text_format';

const valueFaults: Partial<Record<Field['type'], FieldFault>> = {
  checkbox: 'invalid_checkbox',
  date: 'invalid_date',
  number: 'invalid_number',
  dropdown: 'invalid_option',
};

export interface CheckedRow extends CsvRow {
  faults: RowFault[];
  /** The number of the first row with the same values. Null: none. */
  duplicateOf: number | null;
}

/** The template that a row fills in, with its recipients in their order. */
export interface BulkTemplate {
  document: Pick<Document, 'title' | 'type' | 'primary_language' | 'message' | 'sign_order_mode' | 'expires_in_days'>;
  recipients: readonly Recipient[];
  /** The fields on the file of the template. */
  fields?: readonly Field[];
}

/** Rows between two pauses, in which other requests are answered. */
const rowsAtOnce = 50;

/** Checks all rows against a template. Nothing is stored. */
export async function checkRows(
  template: BulkTemplate,
  targets: readonly string[],
  rows: readonly CsvRow[],
): Promise<CheckedRow[]> {
  const first = new Map<string, number>();
  const checked: CheckedRow[] = [];
  for (const row of rows) {
    if (checked.length % rowsAtOnce === 0) await pause();
    const values = valuesOf(targets, row.cells);
    const key = JSON.stringify([...values].sort());
    const duplicateOf = first.get(key) ?? null;
    if (duplicateOf === null) first.set(key, row.number);
    checked.push({ ...row, faults: faultsOf(template, targets, row.cells, values), duplicateOf });
  }
  return checked;
}

/** Returns the document of a row without faults, for `draftFromTemplate`. An empty cell leaves what the template has. */
export function bodyOfRow(
  { document, recipients }: BulkTemplate,
  targets: readonly string[],
  cells: readonly string[],
): EditDocumentBody {
  const values = valuesOf(targets, cells);
  return readEditDocumentBody({
    title: values.get('title') ?? document.title,
    type: document.type,
    primary_language: document.primary_language,
    content: {
      message: values.get('message') ?? document.message,
      sign_order_mode: document.sign_order_mode,
      expires_in_days: document.expires_in_days,
    },
    recipients: recipients.map((recipient) => ({
      id: recipient.id,
      name: values.get(`${recipient.id} name`) ?? recipient.display_name,
      email: values.get(`${recipient.id} email`) ?? recipient.email,
      phone: values.get(`${recipient.id} phone`) ?? recipient.phone,
      role: roleOf(recipient),
      channel: recipient.channel,
      sign_order: recipient.sign_order,
      auth_level: recipient.auth_level,
    })),
  });
}

/** Returns the values of a row without faults for the fields of its document, by position. */
export function presetsOfRow(
  template: BulkTemplate,
  targets: readonly string[],
  cells: readonly string[],
): Map<number, string> {
  return readFields(template, valuesOf(targets, cells)).presets;
}

/** Reads the values of a row for fields: by position, and the faults by what the column fills in. */
function readFields({ document, fields = [] }: BulkTemplate, values: ReadonlyMap<string, string>) {
  const presets = new Map<number, string>();
  const wrong = new Map<string, FieldFault>();
  const fieldsOf = fieldsByTarget(fields);
  for (const [target, cell] of values) {
    let day: string | null = null;
    for (const field of fieldsOf.get(target) ?? []) {
      const value = readCell(field, cell, document.primary_language);
      // Fields with one label may have different formats, in which a date means different days.
      const isSameDay = field.type !== 'date' || value === (day ?? value);
      if (value === null || !isSameDay) {
        if (!wrong.has(target)) wrong.set(target, valueFault(field));
        continue;
      }
      if (field.type === 'date') day = value;
      presets.set(field.position, value);
    }
  }
  return { presets, wrong };
}

/** Fields by the target of their column. Kept, because files have many rows. */
const fieldTargets = new WeakMap<readonly Field[], ReadonlyMap<string, Field[]>>();

function fieldsByTarget(fields: readonly Field[]): ReadonlyMap<string, Field[]> {
  const kept = fieldTargets.get(fields);
  if (kept !== undefined) return kept;
  const found = Map.groupBy(fields, (field) => valueTarget(field) ?? '');
  fieldTargets.set(fields, found);
  return found;
}

function valueFault({ type, text_format }: Field): FieldFault {
  return valueFaults[type] ?? (text_format === null ? 'invalid_text' : 'invalid_text_format');
}

/** A signer who is only a role in the template, such as Tenant, keeps it as the role. */
function roleOf(recipient: Recipient): string | null {
  const { party_role, display_name } = recipient;
  return isOpen(recipient) && party_role === null ? roleFromName(display_name) : party_role;
}

/** Returns the filled cells by what they fill in. */
function valuesOf(targets: readonly string[], cells: readonly string[]): Map<string, string> {
  const filled = targets.map((target, index) => [target, cells[index] ?? ''] as const);
  return new Map(filled.filter(([target, cell]) => target !== '' && cell !== ''));
}

function faultsOf(
  template: BulkTemplate,
  targets: readonly string[],
  cells: readonly string[],
  values: ReadonlyMap<string, string>,
): RowFault[] {
  const faults: RowFault[] = [];
  const add = (target: string, code: RowFault['code']) => {
    const column = targets.indexOf(target);
    faults.push({ column: column === -1 ? null : column, target, code });
  };
  for (const recipient of template.recipients) {
    for (const part of ['name', 'email', 'phone'] as const) {
      const target = `${recipient.id} ${part}`;
      const value = values.get(target);
      if (value === undefined) {
        if (isMissing(recipient, part)) add(target, 'missing');
        continue;
      }
      const code = codeOf(() => readPerson({ name: '-', [part]: value }));
      if (code !== null) add(target, code);
      else if (part === 'phone' && needsPhone(recipient) && !isNumberCell(value)) add(target, 'invalid_phone');
    }
  }
  const [title, message] = [values.get('title'), values.get('message')];
  if (title !== undefined) {
    const code = codeOf(() => readEditDocumentBody({ title, recipients: [] }));
    if (code !== null) add('title', code);
  }
  if (message !== undefined) {
    const code = codeOf(() => readEditDocumentBody({ title: '-', recipients: [], content: { message } }));
    if (code !== null) add('message', code);
  }
  for (const [target, code] of readFields(template, values).wrong) add(target, code);
  const beyond = cells.findIndex((cell, index) => index >= targets.length && cell !== '');
  if (beyond !== -1) faults.push({ column: beyond, target: null, code: 'no_header' });
  return faults;
}

/** Whether a cell can be a phone number. Spreadsheets write long numbers as `4.91701E+11`, which loses their last digits. */
function isNumberCell(cell: string): boolean {
  return /\d/.test(cell.normalize('NFKC')) && !/^\d+(?:[.,]\d+)?E\+\d+$/i.test(cell);
}

function codeOf(read: () => unknown): ApiError['code'] | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}
