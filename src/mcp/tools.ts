import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type {
  Countersign,
  CreateDocument,
  DocumentStatus,
  ImportStatus,
  StartImport,
  WriteOptions,
} from '../../packages/client/src/index.ts';
import type { PlanTable } from '../accounts/plans.ts';
import { type Caller, mayImportFiles } from './caller.ts';
import { type Input, idempotencyKeySchema, type ObjectSchema, operations, withProperties } from './operations.ts';

/** One tool for one operation of the API. `send_document` is not here: it asks before it acts. */
export interface Tool {
  name: string;
  title: string;
  /** For assistants: when to use it, what it costs and what it does not do. */
  description: string;
  /** The scope that a key needs. Null when any key may use it. */
  scope: string | null;
  input: ObjectSchema;
  output: ObjectSchema;
  annotations: ToolAnnotations;
  /** A further condition. */
  isOffered?(caller: Caller, plans: PlanTable): boolean;
  run(client: Countersign, input: Input, options: WriteOptions): Promise<object>;
}

const reading: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const importing: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
const unlockingCosts =
  'Each page that is unlocked costs one credit: unless the user agreed to that, set unlock_doc to false.';

export const tools: readonly Tool[] = [
  {
    name: 'get_account',
    title: 'Get account',
    description:
      'Returns the company of the API key, its plan, the scopes of the key and its mode. ' +
      'Documents sent with a key of mode "test" reach nobody, but their data is real.',
    ...operations.getAccount,
    annotations: reading,
    run: (client, _input, options) => client.account(options),
  },
  {
    name: 'list_documents',
    title: 'List documents',
    description:
      'Returns one page of documents, newest first. Give status to see only some, such as "sent,partially_signed" for those ' +
      'that wait for signatures. Give next_cursor as starting_after for the next page.',
    ...operations.listDocuments,
    annotations: reading,
    run: (client, input, options) =>
      client.documents.list({ ...options, ...pageOf(input), ...statusOf<DocumentStatus>(input) }).page(),
  },
  {
    name: 'get_document',
    title: 'Get document',
    description: 'Returns one document with its status.',
    ...operations.getDocument,
    annotations: reading,
    run: (client, input, options) => client.documents.get(idOf(input), options),
  },
  {
    name: 'list_recipients',
    title: 'List recipients',
    description:
      'Returns the recipients of a document in signing order: names, contact details, and who has viewed, signed or declined.',
    ...operations.listDocumentRecipients,
    annotations: reading,
    async run(client, input, options) {
      const data = await client.documents.recipients(idOf(input), options);
      return { object: 'list', data, has_more: false, next_cursor: null };
    },
  },
  {
    name: 'create_document',
    title: 'Create draft',
    description:
      'Creates a draft with its recipients. Nothing is delivered: send_document does that. A draft cannot be changed with these ' +
      'tools, so make sure of names, e-mail addresses and phone numbers first, and never invent one.',
    ...operations.createDocument,
    input: withIdempotencyKey(operations.createDocument.input),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    run: (client, input, options) => client.documents.create(input as unknown as CreateDocument, options),
  },
  {
    name: 'get_download',
    title: 'Get sealed PDF',
    description:
      'Returns an address of the sealed PDF of a completed document. It works for 5 minutes and without authentication, so give it ' +
      'to the user only. document_not_completed right after the last signature: ask again after a few seconds.',
    ...operations.downloadDocument,
    annotations: reading,
    run: (client, input, options) => client.documents.download(idOf(input), options),
  },
  {
    name: 'list_imports',
    title: 'List imports',
    description: 'Returns one page of imports, newest first, with the counts of their files.',
    ...operations.listImports,
    annotations: reading,
    run: (client, input, options) =>
      client.imports.list({ ...options, ...pageOf(input), ...statusOf<ImportStatus>(input) }).page(),
  },
  {
    name: 'get_import',
    title: 'Get import',
    description: 'Returns one import. It is done when status is "finished", also when some files failed.',
    ...operations.getImport,
    annotations: reading,
    run: (client, input, options) => client.imports.get(idOf(input), options),
  },
  {
    name: 'list_import_items',
    title: 'List files of an import',
    description:
      'Returns one page of the files of an import: the document that each became, or the reason why it failed.',
    ...operations.listImportItems,
    annotations: reading,
    run: (client, input, options) => client.imports.items(idOf(input), { ...options, ...pageOf(input) }).page(),
  },
  {
    name: 'start_import',
    title: 'Start import',
    description:
      'Imports existing documents from the connected e-signature vendor, a cloud drive or a cloud file store. A vendor import ' +
      'runs in the background: follow it with get_import. The others take up to 90 seconds. If you get no answer, repeat the call ' +
      `with the same idempotency_key. ${unlockingCosts}`,
    ...operations.createImport,
    input: withIdempotencyKey(operations.createImport.input),
    annotations: importing,
    isOffered: (caller, plans) => mayImportFiles(caller, plans),
    run: startImport,
  },
  {
    name: 'start_import',
    title: 'Start import',
    description:
      'Imports existing documents from the connected e-signature vendor. It runs in the background: follow it with get_import. ' +
      `This key or its plan has no imports from drives and file stores. ${unlockingCosts}`,
    ...operations.createImport,
    input: withIdempotencyKey(vendorImportInput()),
    annotations: importing,
    isOffered: (caller, plans) => !mayImportFiles(caller, plans),
    run: startImport,
  },
];

/** The server answers within 85 seconds. */
const startTimeoutMs = 100_000;

function startImport(client: Countersign, input: Input, options: WriteOptions): Promise<object> {
  return client.imports.start(input as unknown as StartImport, { ...options, timeoutMs: startTimeoutMs });
}

function vendorImportInput(): ObjectSchema {
  const { source, earliest, unlock_doc } = operations.createImport.input.properties;
  const properties = {
    source: { ...source, enum: ['esign_vendor'] },
    earliest: { ...earliest },
    unlock_doc: { ...unlock_doc },
  };
  return { ...operations.createImport.input, properties };
}

function withIdempotencyKey(input: ObjectSchema): ObjectSchema {
  return withProperties(input, { idempotency_key: idempotencyKeySchema });
}

function idOf({ id }: Input): string {
  return id as string;
}

function pageOf({ limit, starting_after, ending_before }: Input) {
  return {
    ...(limit === undefined ? {} : { limit: limit as number }),
    ...(starting_after === undefined ? {} : { startingAfter: starting_after as string }),
    ...(ending_before === undefined ? {} : { endingBefore: ending_before as string }),
  };
}

/** The API checks the comma-separated values. */
function statusOf<Status extends string>({ status }: Input): { status?: Status } {
  return status === undefined ? {} : { status: status as Status };
}
