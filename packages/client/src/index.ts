export { Countersign, type CountersignOptions } from './countersign.ts';
export type { Documents, ListDocuments } from './documents.ts';
export {
  ApiError,
  AuthenticationError,
  ConnectionError,
  CountersignError,
  type ErrorFields,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
  WebhookSignatureError,
} from './errors.ts';
export type { Imports, ListImports } from './imports.ts';
export type { List, ListOptions, Page } from './list.ts';
export type { AnswerInfo, RequestOptions, WriteOptions } from './request.ts';
export type {
  Account,
  CreateDocument,
  Document,
  DocumentStatus,
  DocumentType,
  Download,
  Import,
  ImportItem,
  ImportSource,
  ImportStatus,
  NewRecipient,
  Recipient,
  StartedImport,
  StartImport,
  WebhookEvent,
} from './types.ts';
export { type RawBody, type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts';
