import type { TObject } from 'typebox';
import { asJsonSchema } from '../../http/json-schema.ts';

/** Returns the item schema when an answer is a list envelope. */
export function isList(schema: TObject): boolean {
  return asJsonSchema(schema).properties?.object?.const === 'list';
}

export function itemOf(list: TObject): TObject {
  return asJsonSchema(list).properties?.data?.items as TObject;
}
