import type { ErrorCode } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { operationIdOf } from './names.ts';

/** A request and its answer, or the refusal that is all an endpoint can answer for now. */
export type Example = { request?: object } & ({ answer: object } | { refused: ErrorCode; param?: string });

export const accountExample = {
  object: 'account',
  id: '0198e0a4-1c52-7b09-9f3e-5d7a2b8c6e14',
  display_name: 'Harbour Construction Ltd',
  tier: 'team',
  created_at: '2026-08-25T08:31:07.514Z',
  mode: 'live',
  scopes: ['documents:read', 'recipients:read', 'documents:write', 'documents:send'],
};

const documentExample = {
  object: 'document',
  id: '0198f3c2-5b7e-7c41-9d2a-6f1e8b0c4a35',
  type: 'change_order',
  status: 'draft',
  title: 'Change order 7: east stairwell',
  description: null,
  primary_language: 'en',
  secondary_language: null,
  recipient_count: 2,
  sent_at: null,
  completed_at: null,
  voided_at: null,
  voided_reason: null,
  expires_at: null,
  created_at: '2026-11-20T14:02:11.230Z',
  updated_at: '2026-11-20T14:02:11.230Z',
};

export const sentDocumentExample = {
  ...documentExample,
  status: 'sent',
  sent_at: '2026-11-20T14:07:31.482Z',
  expires_at: '2026-12-20T14:07:31.482Z',
  updated_at: '2026-11-20T14:07:31.482Z',
};

const downloadExample = {
  object: 'download',
  url: 'https://sign.example.com/download/AZjzwlt-fEGdKm8eiwxKNQGY88JbfnxCgGkjTVHXAAAAAGkfN6TjVtKqYbR0mZLx5nUoQw2c',
  expires_at: '2026-11-20T14:12:31.482Z',
  bytes: 52_418,
  sha256: '3f2a9d0c6e8b41757c1de0a4b95f8e62d7043ba1c9f6512e80d4a7c36b9e15f8',
};

const recipientExample = {
  object: 'recipient',
  id: '0198f3c2-5b7e-7c42-8e10-2b9d7f4a6c53',
  document_id: documentExample.id,
  display_name: 'Ana Ruiz',
  email: 'ana.ruiz@example.com',
  phone: null,
  party_role: 'approver',
  channel: 'email',
  sign_order: 1,
  auth_level: 'l0_email_link',
  status: 'sent',
  sent_at: '2026-11-20T14:07:31.482Z',
  viewed_at: null,
  signed_at: null,
  declined_at: null,
  declined_reason: null,
};

const secondRecipient = {
  ...recipientExample,
  id: '0198f3c2-5b7e-7c43-a417-9c0e5d8b3f72',
  display_name: 'Tom Becker',
  email: null,
  phone: '+44 20 7946 0018',
  party_role: null,
  channel: 'sms',
  sign_order: 2,
  status: 'pending',
  sent_at: null,
};

const importExample = {
  object: 'import',
  id: '0198f4d1-3a60-7e12-b7c4-8f2d6a1e9b50',
  source: 'cloud_files',
  status: 'finished',
  total_files: 2,
  filed: 1,
  failed: 1,
  remaining: 0,
  created_at: '2026-11-20T15:11:02.118Z',
  finished_at: '2026-11-20T15:11:05.402Z',
};

const importItemExample = {
  object: 'import_item',
  id: '0198f4d1-3a60-7e13-9a05-41c7e08d2b36',
  index: 0,
  name: 'Lease, unit 4.pdf',
  status: 'filed',
  reason: null,
  document_id: '0198f4d1-45f2-7b20-8d1e-5a9c3f7b6e41',
  duplicate: false,
  bytes: 184_213,
  pages: 6,
  unlock: null,
  created_at: importExample.created_at,
  finished_at: '2026-11-20T15:11:04.077Z',
};

const importItemExamples = [
  importItemExample,
  {
    ...importItemExample,
    id: '0198f4d1-3a60-7e14-a2f8-c60b9d317e58',
    index: 1,
    name: 'photo.jpg',
    status: 'failed',
    reason: 'unsupported_type',
    document_id: null,
    bytes: null,
    pages: null,
    finished_at: importExample.finished_at,
  },
];

const examples: Record<string, Example> = {
  getAccount: { answer: accountExample },
  listDocuments: {
    answer: {
      object: 'list',
      data: [sentDocumentExample],
      has_more: true,
      next_cursor: 'AZjzwlt-fEGdKm8eiwxKNTvGm0XQ4t8hJ2kPzq1rYcs',
    },
  },
  createDocument: {
    request: {
      title: documentExample.title,
      type: documentExample.type,
      recipients: [
        { name: 'Ana Ruiz', email: 'ana.ruiz@example.com', role: 'approver' },
        { name: 'Tom Becker', phone: '+44 20 7946 0018', channel: 'sms' },
      ],
      content: {
        message: 'Please sign before Friday.',
        sign_order_mode: 'sequential',
        expires_in_days: 30,
      },
    },
    answer: documentExample,
  },
  getDocument: { answer: sentDocumentExample },
  sendDocument: { answer: sentDocumentExample },
  downloadDocument: { answer: downloadExample },
  listDocumentRecipients: {
    answer: { object: 'list', data: [recipientExample, secondRecipient], has_more: false, next_cursor: null },
  },
  listImports: { answer: { object: 'list', data: [importExample], has_more: false, next_cursor: null } },
  createImport: {
    request: {
      source: 'cloud_files',
      files: [
        { url: 'https://www.dropbox.com/scl/fi/9q2v7lk1/lease.pdf?rlkey=4t8h2kpz', name: 'Lease, unit 4.pdf' },
        { url: 'https://www.dropbox.com/scl/fi/1m8c3xw0/photo.jpg?rlkey=7c41d2a6' },
      ],
      unlock_doc: false,
    },
    answer: { ...importExample, items: importItemExamples },
  },
  getImport: { answer: importExample },
  listImportItems: { answer: { object: 'list', data: importItemExamples, has_more: false, next_cursor: null } },
};

export function exampleOf(endpoint: Endpoint): Example {
  const operationId = operationIdOf(endpoint);
  const example = examples[operationId];
  if (example === undefined) throw new Error(`the reference has no example of ${operationId}`);
  return example;
}
