import { CountersignError } from './errors.ts';
import { createList, type List, type ListOptions, type Page } from './list.ts';
import { pathOf } from './path-of.ts';
import type { RequestOptions, Send, WriteOptions } from './request.ts';
import type { CreateDocument, Document, DocumentStatus, Download, Recipient } from './types.ts';

export interface ListDocuments extends ListOptions {
  /** Only documents with one of these statuses. */
  status?: DocumentStatus | readonly DocumentStatus[];
}

export interface Documents {
  /** Documents, newest first. Scope `documents:read`. */
  list(options?: ListDocuments): List<Document>;
  /** Creates a draft with its recipients. Nothing is sent. Scope `documents:write`. */
  create(body: CreateDocument, options?: WriteOptions): Promise<Document>;
  /** Scope `documents:read`. */
  get(id: string, options?: RequestOptions): Promise<Document>;
  /** Sends a draft to its recipients. Scope `documents:send`. */
  send(id: string, options?: WriteOptions): Promise<Document>;
  /** All recipients in signing order. Scope `recipients:read`. */
  recipients(id: string, options?: RequestOptions): Promise<Recipient[]>;
  /** An address of the sealed PDF, which works for 5 minutes without authentication. Scope `documents:read`. */
  download(id: string, options?: RequestOptions): Promise<Download>;
  /**
   * The sealed PDF itself. Scope `documents:read`.
   *
   * @throws `CountersignError` when its SHA-256 is not the one that the API names.
   */
  pdf(id: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>;
}

/** `fetchBytes` gets what a download address leads to. */
export function createDocuments(
  send: Send,
  fetchBytes: (url: string, options: RequestOptions) => Promise<Uint8Array<ArrayBuffer>>,
): Documents {
  const download = (id: string, options: RequestOptions = {}) =>
    send<Download>({ method: 'GET', path: `${pathOf('/documents', id)}/download`, options });

  return {
    list: ({ status, ...options } = {}) =>
      createList<Document>(send, '/documents', options, {
        status: status === undefined ? undefined : [status].flat().join(),
      }),
    create: (body, options = {}) => send({ method: 'POST', path: '/documents', body, options }),
    get: async (id, options = {}) => send({ method: 'GET', path: pathOf('/documents', id), options }),
    send: async (id, options = {}) => send({ method: 'POST', path: `${pathOf('/documents', id)}/send`, options }),
    recipients: async (id, options = {}) => {
      const path = `${pathOf('/documents', id)}/recipients`;
      return (await send<Page<Recipient>>({ method: 'GET', path, options })).data;
    },
    download: async (id, options) => download(id, options),
    pdf: async (id, options = {}) => {
      const { url, sha256 } = await download(id, options);
      const bytes = await fetchBytes(url, options);
      if (hexOf(await crypto.subtle.digest('SHA-256', bytes)) !== sha256) {
        throw new CountersignError('The PDF that arrived is not the one that the API names.');
      }
      return bytes;
    },
  };
}

function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
