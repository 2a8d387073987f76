import type { TObject } from 'typebox';
import { asJsonSchema } from '../../http/json-schema.ts';

/** Whether an answer is the list envelope of spec.md, and what it is a list of. */
export function isList(schema: TObject): boolean {
  return asJsonSchema(schema).properties?.object?.const === 'list';
}

export function itemOf(list: TObject): TObject {
  return asJsonSchema(list).properties?.data?.items as TObject;
}
