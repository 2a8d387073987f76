export type {
  DocumentDetail,
  DocumentSummary,
  FieldView,
  FileView,
  LinkedDocument,
} from '../../../src/console/document-views.ts';
export type { RecipientView } from '../../../src/console/recipient-view.ts';
export type { TimelineEntry } from '../../../src/console/timeline.ts';
export type { DocumentStatus, DocumentType } from '../../../src/documents/document.ts';
export type { FieldType } from '../../../src/documents/field.ts';
