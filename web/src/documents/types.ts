export type { DocumentSummary } from '../../../src/console/document-views.ts';
export type { DocumentStatus } from '../../../src/documents/document.ts';
