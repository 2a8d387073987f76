import type { PlanTable } from '../accounts/plans.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { operationIdOf } from '../api/openapi/names.ts';
import type { Html } from '../http/html.ts';

/** What the reference is written from. */
export interface ReferenceOptions {
  endpoints: readonly Endpoint[];
  /** `{base_url}` of spec.md, asked when the page is first wanted: the port may be chosen by the system. */
  baseUrl: () => string;
  /** Where this reference is, as error answers link it. */
  docsUrl: () => string;
  plans: PlanTable;
}

/** One part of the reference, with what the navigation lists below it. */
export interface Section {
  id: string;
  title: string;
  entries: { id: string; title: string; method?: string }[];
  body: Html;
}

/** `listDocuments` → `list-documents`: hyphens keep these apart from the anchors of error codes. */
export function anchorOf(endpoint: Endpoint): string {
  return operationIdOf(endpoint).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
