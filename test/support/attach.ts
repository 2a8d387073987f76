import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachFile } from '../../src/documents/attach-file.ts';
import { readAttachment } from '../../src/documents/attachment.ts';
import type { DateFormat } from '../../src/documents/date-format.ts';
import type { Field } from '../../src/documents/field.ts';
import type { FieldType } from '../../src/documents/field-types.ts';
import { placeFields } from '../../src/documents/place-fields.ts';
import { lockDocument } from '../../src/documents/queries.ts';
import { storeFile } from '../../src/documents/stored-files.ts';
import { createPdfReader } from '../../src/pdf/pdf-reader.ts';
import { makePdf, type PdfPlan } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { createFileStore, type FileStore } from '../../src/platform/files.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Company, TestService } from './service.ts';

const noS3 = { accessKeyId: null, secretAccessKey: null, sessionToken: null, region: null, endpoint: null };

/** Shared by all tests of a file. Its process ends when idle, or with the tests. */
const reader = createPdfReader({ log: createLog('silent') });

export function filesOf(app: TestService): FileStore {
  return createFileStore(`file:${join(app.dataDir, 'files')}`, noS3);
}

/** Attaches a PDF to a draft as the command line does. Returns its SHA-256 in hex. */
export async function attachPdf(
  app: TestService,
  company: Company,
  id: string,
  plan: PdfPlan | Buffer = {},
  files = filesOf(app),
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'attach-'));
  try {
    const bytes = Buffer.isBuffer(plan) ? plan : makePdf(plan);
    const path = join(directory, 'lease.pdf');
    await writeFile(path, bytes);
    const found = await reader.inspect(path, company.id);
    if (!found.ok) throw new Error(`not attached: ${found.reason}`);
    const sha256 = createHash('sha256').update(bytes).digest();
    const file = { ...found, sha256, bytes: bytes.length, name: 'Lease.pdf' };
    await storeFile(app.world, app.db, files, file, path);
    await app.db.transaction(async (tx) => {
      const document = await lockDocument(tx, company.id, id, 'all');
      if (document === null) throw new Error(`there is no document ${id}`);
      await attachFile(app.world, tx, document, 'operator', file);
    });
    return sha256.toString('hex');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export interface FieldToPlace {
  recipient: number;
  type: FieldType;
  page?: number;
  y?: number;
  height?: number;
  required?: boolean;
  label?: string;
  private?: boolean;
  value?: string;
  read_only?: boolean;
  min?: string;
  max?: string;
  decimals?: number;
  options?: readonly string[];
  group?: string;
  shown_if?: { field: number; value: string | boolean };
  formula?: string;
  date_format?: DateFormat;
  text_format?: string;
}

/** Places fields below one another. Returns them in the given order. */
export async function placeOn(
  app: TestService,
  company: Company,
  id: string,
  fieldsToPlace: readonly FieldToPlace[],
): Promise<Field[]> {
  return app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, id, 'all');
    if (document === null) throw new Error(`there is no document ${id}`);
    const fields = fieldsToPlace.map((field, index) => {
      return { page: 1, x: 72, y: 100 + index * 40, width: 160, height: 30, ...field };
    });
    await placeFields(app.world, tx, document, 'operator', fields);
    return fieldsOf({ ...app, db: tx }, company, id);
  });
}

export async function fieldsOf(
  app: { db: Parameters<typeof readAttachment>[0] },
  company: Company,
  id: string,
): Promise<Field[]> {
  return (await readAttachment(app.db, company.id, id))?.fields ?? [];
}
