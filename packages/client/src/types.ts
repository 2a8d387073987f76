import type { components } from './openapi.ts';

type Schemas = components['schemas'];

export type Account = Schemas['Account'];
export type Document = Schemas['Document'];
export type DocumentStatus = Document['status'];
export type DocumentType = Document['type'];
export type Recipient = Schemas['Recipient'];
export type Download = Schemas['Download'];
export type Import = Schemas['Import'];
export type ImportStatus = Import['status'];
/** A source that this version does not know is `upload`. */
export type ImportSource = Import['source'];
export type StartedImport = Schemas['StartedImport'];
export type ImportItem = Schemas['ImportItem'];

export type CreateDocument = Schemas['CreateDocumentBody'];
export type NewRecipient = CreateDocument['recipients'][number];
export type StartImport = Schemas['CreateImportBody'];

export type WebhookEvent = Schemas['Event'];
