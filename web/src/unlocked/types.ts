export type { UnlockView } from '../../../src/console/unlocked/unlock-endpoints.ts';
export type { TextView } from '../../../src/console/unlocked/unlocked-endpoints.ts';
export type { Block, FormField } from '../../../src/unlock/blocks.ts';
export type { UnlockReason } from '../../../src/unlock/jobs/document-unlock.ts';
export type { EditedBlock } from '../../../src/unlock/text/edited-block.ts';
export type { TextPage } from '../../../src/unlock/text/read-text.ts';
