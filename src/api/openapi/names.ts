import type { TObject } from 'typebox';
import { asJsonSchema } from '../../http/json-schema.ts';
import type { Endpoint } from '../endpoint.ts';
import { isList, itemOf } from './list-answer.ts';

/** Names derived from method and path, so that the table of endpoints stays the only list. */

/** `/documents/:id/send` → `/documents/{id}/send` */
export function templatePathOf(endpoint: Pick<Endpoint, 'path'>): string {
  return endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
}

/** `/documents/:id/send` → `Documents` */
export function tagOf(endpoint: Pick<Endpoint, 'path'>): string {
  return pascal(segmentsOf(endpoint)[0]);
}

/** `listDocuments`, `createDocument`, `getDocument`, `sendDocument`, `listDocumentRecipients`, `downloadDocument` */
export function operationIdOf(endpoint: Pick<Endpoint, 'method' | 'path' | 'answer'>): string {
  const [collection, , below] = segmentsOf(endpoint);
  const one = singular(pascal(collection));
  if (endpoint.method === 'POST') return below === undefined ? `create${one}` : `${below}${one}`;
  if (!isList(endpoint.answer.schema)) return below === undefined ? `get${one}` : `${below}${one}`;
  return below === undefined ? `list${pascal(collection)}` : `list${one}${pascal(below)}`;
}

/** An answer is named by its `title`, else by its `object`: `Document`, and `DocumentList` for a list of them. */
export function answerNameOf(schema: TObject): string {
  const { title, properties } = asJsonSchema(schema);
  if (title !== undefined) return title;
  return isList(schema) ? `${answerNameOf(itemOf(schema))}List` : pascal(properties?.object?.const as string);
}

export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[_-])(\w)/g, (_, first: string) => first.toUpperCase());
}

function segmentsOf(endpoint: Pick<Endpoint, 'path'>): [string, ...string[]] {
  return endpoint.path.slice(1).split('/') as [string, ...string[]];
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}
