export type {
  DocumentDetail,
  DocumentSummary,
  FileView,
  PartyView,
} from '../../../src/console/document-views.ts';
export type { TimelineEntry } from '../../../src/console/timeline.ts';
export type { DocumentStatus } from '../../../src/documents/document.ts';
