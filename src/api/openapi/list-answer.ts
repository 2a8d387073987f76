import type { TObject } from '@sinclair/typebox';

/** Whether an answer is the list envelope of spec.md, and what it is a list of. */
export function isList(schema: TObject): boolean {
  return schema.properties.object?.const === 'list';
}

export function itemOf(list: TObject): TObject {
  return list.properties.data?.items as TObject;
}
