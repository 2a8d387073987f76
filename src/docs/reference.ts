import type { PlanTable } from '../accounts/plans.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { operationIdOf } from '../api/openapi/names.ts';
import type { Html } from '../http/html.ts';

/** Input of the reference. */
export interface ReferenceOptions {
  endpoints: readonly Endpoint[];
  /** The base address of the API. Read on the first request, because the system may choose the port. */
  baseUrl: () => string;
  /** Address of this reference, as used in error answers. */
  docsUrl: () => string;
  plans: PlanTable;
}

/** One chapter of the reference. The navigation lists its entries below it. */
export interface Section {
  id: string;
  title: string;
  entries: { id: string; title: string; method?: string }[];
  body: Html;
}

/** Returns the anchor of an endpoint: `listDocuments` → `list-documents`. Anchors of error codes have no hyphens. */
export function anchorOf(endpoint: Endpoint): string {
  return operationIdOf(endpoint).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
