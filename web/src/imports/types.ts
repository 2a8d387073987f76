export type { ImportView, ItemView, Starter } from '../../../src/console/import-views.ts';
export type { FailureReason, UnlockReason } from '../../../src/imports/import.ts';
