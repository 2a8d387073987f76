import type { Language } from '../platform/language.ts';
import type { TemplateColumn } from './columns.ts';
import type { ListedRow } from './list-rows.ts';

type Fault = ListedRow['faults'][number];

/** What is wrong with a value, by code. The console's pages use them too. */
export const faultTexts: Record<string, Record<Language, string>> = {
  missing: { en: 'missing', es: 'falta' },
  no_header: { en: 'a value below no header', es: 'un valor sin encabezado' },
  invalid_checkbox: { en: 'write true or false', es: 'escriba VERDADERO o FALSO' },
  invalid_date: { en: 'write the date as 2026-03-09', es: 'escriba la fecha como 2026-03-09' },
  invalid_number: {
    en: 'write a number that the field allows, without marks between thousands',
    es: 'escriba un número que admita el campo, sin separadores de miles',
  },
  invalid_option: { en: 'write one of the options of the field', es: 'escriba una de las opciones del campo' },
  invalid_text: { en: 'at most 500 characters', es: 'como máximo 500 caracteres' },
  invalid_text_format: { en: 'write it in the format of the field', es: 'escríbalo en el formato del campo' },
  invalid_phone: {
    en: 'not a phone number; format the column as text in the spreadsheet',
    es: 'no es un número de teléfono; dé a la columna formato de texto en la hoja de cálculo',
  },
  // Of files that were checked by earlier versions.
  invalid_value: { en: 'not a value of this field', es: 'no es un valor de este campo' },
  formula_unfit: { en: 'a calculated field can’t use this number', es: 'un campo calculado no puede usar este número' },
  person_erased: { en: 'this person was erased', es: 'esta persona fue borrada' },
  invalid_recipient_name: { en: '1 to 120 characters', es: 'de 1 a 120 caracteres' },
  invalid_recipient_email: { en: 'not an e-mail address', es: 'no es un correo electrónico' },
  invalid_recipient_phone: { en: 'at most 40 characters', es: 'como máximo 40 caracteres' },
  invalid_title: { en: '1 to 200 characters', es: 'de 1 a 200 caracteres' },
  invalid_content_message: { en: 'at most 2000 characters', es: 'como máximo 2000 caracteres' },
};

/** Says in a few words what is wrong with a row: `Tenant email: missing`. `sampled`: all columns of the template. */
export function faultText(
  fault: Fault,
  columns: readonly string[],
  sampled: readonly TemplateColumn[],
  language: Language,
): string {
  const text = faultTexts[fault.code]?.[language] ?? fault.code;
  const name = columnName(fault, columns, sampled, language);
  return name === null ? text : `${name}: ${text}`;
}

/** Returns the column's name in the file, or else its name in the sample. Null for a fault of the whole row. */
export function columnName(
  { column, target }: Pick<Fault, 'column' | 'target'>,
  columns: readonly string[],
  sampled: readonly TemplateColumn[],
  language: Language,
): string | null {
  const inFile = column === null ? undefined : columns[column];
  if (inFile !== undefined) return inFile;
  return sampled.find((each) => each.target === target)?.label[language] ?? null;
}
