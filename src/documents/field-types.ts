// The scripts of the signing page and the console import this file, so it imports nothing that needs Node.js.

/** The types of fields that recipients fill in on an attached file. */
export const fieldTypes = [
  'signature',
  'initials',
  'stamp',
  'date',
  'text',
  'checkbox',
  'number',
  'dropdown',
  'radio',
  'upload',
] as const;

export type FieldType = (typeof fieldTypes)[number];
