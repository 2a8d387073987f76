export type {
  DocumentDetail,
  DocumentSummary,
  FieldView,
  FileView,
  LinkedDocument,
} from '../../../src/console/documents/document-views.ts';
export type { RecipientView } from '../../../src/console/documents/recipient-view.ts';
export type { TimelineEntry } from '../../../src/console/documents/timeline.ts';
export type { DocumentType } from '../../../src/document-types.ts';
export type { DocumentStatus } from '../../../src/documents/document.ts';
export type { FieldType } from '../../../src/documents/field-types.ts';
