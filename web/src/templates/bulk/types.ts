export type { BulkSendDetail, BulkSendSummary, RowView } from '../../../../src/console/templates/bulk-send-views.ts';
