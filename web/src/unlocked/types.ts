export type { UnlockView } from '../../../src/console/unlock-endpoints.ts';
export type { TextView } from '../../../src/console/unlocked-endpoints.ts';
export type { UnlockReason } from '../../../src/imports/import.ts';
export type { Block, FormField } from '../../../src/unlock/blocks.ts';
export type { EditedBlock } from '../../../src/unlock/edited-block.ts';
export type { TextPage } from '../../../src/unlocked/read-text.ts';
