import { html } from '../../http/html.ts';
import { bullets } from '../prose.ts';
import type { Section } from '../reference.ts';

export const versioning: Section = {
  id: 'versioning',
  title: 'Versioning',
  entries: [],
  body: html`
${bullets(
  'The version is part of the base address. This is version 1; [its description](/docs/openapi.json) has version 1.0.0.',
  'Within a version, error types and codes keep their names. New codes may be added to a type, and new fields to an answer.',
  'The format of cursors and the wording of messages are not part of the contract.',
)}
`,
};
