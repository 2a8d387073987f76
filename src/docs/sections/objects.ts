import { type TObject, Type } from 'typebox';
import type { Endpoint } from '../../api/endpoint.ts';
import { isList, itemOf } from '../../api/openapi/list-answer.ts';
import { answerNameOf } from '../../api/openapi/names.ts';
import { html } from '../../http/html.ts';
import { fieldList } from '../field-list.ts';
import { paragraphs } from '../prose.ts';
import type { Section } from '../reference.ts';

/** Chapter on the objects in answers. Lists are alike and described once. */
export function objects(endpoints: readonly Endpoint[]): Section {
  const answers = endpoints.map((endpoint) => endpoint.answer.schema);
  const lists = answers.filter(isList);
  const singles = byName([...answers.filter((schema) => !isList(schema)), ...lists.map(itemOf)]);
  return {
    id: 'objects',
    title: 'Objects',
    entries: [...singles.keys(), 'List'].map((name) => ({ id: anchorOfObject(name), title: name })),
    body: html`
${paragraphs('Every field listed is always present. More fields may be added: ignore those you do not know.')}
${[...singles].map(([name, schema]) => html`<h3 id="${anchorOfObject(name)}">${name}</h3>${fieldList(schema, 'answer')}`)}
<h3 id="object-list">List</h3>
${paragraphs(`The envelope of every list: ${[...byName(lists).keys()].join(', ')}.`)}
${lists.slice(0, 1).map((list) => fieldList(withoutItems(list), 'answer'))}
`,
  };
}

export function anchorOfObject(name: string): string {
  return name.endsWith('List') ? 'object-list' : `object-${name.toLowerCase()}`;
}

function byName(schemas: readonly TObject[]): Map<string, TObject> {
  return new Map(schemas.map((schema) => [answerNameOf(schema), schema]));
}

/** Returns the schema of a list with unspecified items. */
function withoutItems(list: TObject): TObject {
  return Type.Object({
    ...list.properties,
    data: Type.Array(Type.Unsafe({ type: 'item' }), { description: 'The items.' }),
  });
}
