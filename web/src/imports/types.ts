export type { ImportView, ItemView, Starter } from '../../../src/console/imports/import-views.ts';
export type { FailureReason } from '../../../src/imports/import.ts';
export type { UnlockReason } from '../../../src/unlock/jobs/document-unlock.ts';
