import type { TObject, TSchema } from 'typebox';
import { type Html, html } from '../http/html.ts';
import { asJsonSchema, type JsonSchema } from '../http/json-schema.ts';
import { errorCodeKeyword } from '../http/validate-body.ts';
import { prose } from './prose.ts';

/** Requests show rules and error codes. Answers show only types and descriptions. */
type Kind = 'request' | 'answer';

/** Renders the properties of an object with type, rule and error code, read from their schemas. */
export function fieldList(schema: TObject, kind: Kind): Html {
  return fields(asJsonSchema(schema), kind);
}

function fields(schema: JsonSchema, kind: Kind): Html {
  const required = new Set(schema.required ?? []);
  return html`<ul class="fields">
${Object.entries(schema.properties ?? {}).map(([name, property]) => field(name, property, kind === 'request' && required.has(name), kind))}</ul>
`;
}

export function parameterList(parameters: Record<string, TSchema>): Html {
  return html`<ul class="fields">
${Object.entries(parameters).map(([name, schema]) => field(name, asJsonSchema(schema), false, 'request'))}</ul>
`;
}

function field(name: string, schema: JsonSchema, required: boolean, kind: Kind): Html {
  const nested = nestedObject(schema);
  return html`<li><p class="field-head"><code>${name}</code> <span class="type">${typeOf(schema)}</span>${
    required ? html` <span class="required">required</span>` : null
  }</p>
${sentences(schema, kind)}${values(schema)}${nested !== null && fields(nested, kind)}</li>
`;
}

/** Joins the rule with its error code: "1 to 200 characters, otherwise `invalid_title`. …" */
function sentences(schema: JsonSchema, kind: Kind): Html | null {
  const rule = kind === 'request' ? ruleOf(schema) : '';
  const errorCode = schema[errorCodeKeyword];
  const otherwise = errorCode === undefined ? '' : `therwise ${errorCode}.`;
  const parts = [
    rule === '' ? '' : `${rule}${otherwise === '' ? '.' : `, o${otherwise}`}`,
    schema.description ?? '',
    schema.default === undefined ? '' : `Default: ${schema.default}.`,
    rule === '' && otherwise !== '' ? `O${otherwise}` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : html`<p>${prose(parts.join(' '))}</p>\n`;
}

function values(schema: JsonSchema): Html | null {
  const allowed = schema.enum ?? schema.items?.enum;
  if (allowed === undefined) return null;
  return html`<p class="values">${allowed.filter((value) => value !== null).map((value) => html`<code>${value}</code> `)}</p>\n`;
}

function nestedObject(schema: JsonSchema): JsonSchema | null {
  if ([schema.type].flat().includes('object')) return schema;
  return schema.items?.type === 'object' ? schema.items : null;
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `always “${schema.const}”`;
  if (schema.type === 'array') return `array of ${schema.items?.type}s`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type);
  const format = formatNames[schema.format ?? ''];
  return format === undefined ? type : type.replace('string', format);
}

const formatNames: Record<string, string | undefined> = { 'date-time': 'date-time', uuid: 'uuid' };

/** Returns the rule in words, from the keywords that check it. */
function ruleOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return 'One of the values below';
  if (schema.maxLength !== undefined) return `${span(schema.minLength, schema.maxLength)} characters`;
  if (schema.maxItems !== undefined) return `${span(schema.minItems, schema.maxItems)} items`;
  return schema.maximum === undefined ? '' : span(schema.minimum, schema.maximum);
}

function span(min: number | undefined, max: number): string {
  return min === undefined ? `At most ${max}` : `${min} to ${max}`;
}
