import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { auditPages } from '../audit-log/export-audit-log.ts';
import { byteOrderMark, csvLine } from '../http/csv.ts';
import { allPages, csvTime } from '../http/log-export.ts';
import { messagePages } from '../message-log/export-message-log.ts';
import type { FileStore } from '../platform/files.ts';
import type { Language } from '../platform/language.ts';
import { readLines } from '../platform/read-lines.ts';
import type { World } from '../platform/world.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { readRequestLog } from '../usage/read-request-log.ts';
import { requestJson } from '../usage/request-json.ts';
import type { Archive } from './archive.ts';
import { type Dataset, datasets, type Sheet, sheets } from './datasets.ts';
import { readDocuments } from './document-lines.ts';
import { readLogoFile, readSettings } from './export-settings.ts';
import { createExportWriter, type ExportWriter } from './export-writer.ts';
import { exportedRow, readRows } from './read-rows.ts';
import { readmeOf } from './readme.ts';
import { createFileCopier, type ListedFile, listFiles, sumFiles } from './stored-files.ts';

/** Version of the archive's format. It changes when a reader of the present one would fail. */
const exportFormat = 1;

export interface ExportSource {
  world: World;
  /** Its statements may take minutes. See `openExportDatabase`. */
  db: Database;
  files: FileStore;
  accountId: string;
  /** The language of the README and of sentences. */
  language: Language;
}

export interface ExportProgress {
  /** Stored files that were copied or found missing. */
  done: number;
  total: number;
}

export interface ExportWork {
  /** An empty directory for lists. Needs about 300 bytes for each stored file. */
  directory: string;
  /** Ends the export with the reason of the signal. */
  signal: AbortSignal;
  onProgress(progress: ExportProgress): void;
  /** Gets the size of all stored files before anything is written. It may throw. */
  assertRoom(bytes: number): Promise<void>;
}

export interface WrittenExport {
  documents: number;
  /** Stored files, without those that are missing. */
  files: number;
  missing: number;
}

/**
 * Writes everything of a company into an archive. All rows are of one moment (a repeatable read). Stored files, which never
 * change, are copied afterwards; the text of unlocked documents is as it is then. A file that the store has lost is listed in
 * the manifest. Memory does not grow with the size of the company.
 */
export async function writeExport(source: ExportSource, archive: Archive, work: ExportWork): Promise<WrittenExport> {
  const writer = await createExportWriter(archive, work.directory);
  try {
    return await writeAll(source, writer, work);
  } finally {
    await writer.close();
  }
}

async function writeAll(source: ExportSource, writer: ExportWriter, work: ExportWork): Promise<WrittenExport> {
  const { world, db, language } = source;
  const at = world.clock.now();
  await writer.add('README.txt', bytesOf([readmeOf(language)]), { compress: true });
  const snapshot = await db.transaction((tx) => writeSnapshot(tx, source, writer, work));
  await copyFiles(source, writer, work, snapshot.files);
  const { company, counts } = snapshot;
  await writer.finish({
    format: exportFormat,
    company,
    exported_at: at.toISOString(),
    // Text of unlocked documents may be newer than `exported_at`.
    counts: { ...counts, stored_files: snapshot.files - writer.missing, missing_files: writer.missing },
  });
  return { documents: counts.documents ?? 0, files: snapshot.files - writer.missing, missing: writer.missing };
}

interface Snapshot {
  company: { id: string; name: string };
  /** Rows by file, without its extension. */
  counts: Record<string, number>;
  /** Number of stored files to copy. */
  files: number;
}

/** Writes everything that is in the database, and the list of stored files. */
async function writeSnapshot(tx: Tx, source: ExportSource, writer: ExportWriter, work: ExportWork): Promise<Snapshot> {
  const { accountId, language } = source;
  const { signal } = work;
  await tx.query({ name: '', text: 'set transaction isolation level repeatable read, read only', values: [] });
  // The server waits while rows are written to the archive.
  await tx.query({ name: '', text: 'set local idle_in_transaction_session_timeout = 0', values: [] });
  await work.assertRoom(await sumFiles(tx, accountId));

  const counts: Record<string, number> = {};
  const addRows = async (file: string, batches: AsyncIterable<object[]>, json: readonly string[] = []) => {
    const counted = { rows: 0 };
    const text = file.endsWith('.jsonl') ? jsonLines(batches, json, counted) : jsonArray(batches, json, counted);
    await writer.add(file, stoppable(text, signal), { compress: true });
    counts[file.replace(/\.\w+$/, '').replaceAll('-', '_')] = counted.rows;
  };

  const settings = await readSettings(tx, accountId);
  await writer.add('settings.json', bytesOf([`${JSON.stringify(settings, null, 2)}\n`]), { compress: true });
  const logo = await readLogoFile(tx, accountId);
  if (logo !== null) await writer.add(logo.path, bytesOf([logo.bytes]), { compress: false });

  await addRows('documents.jsonl', readDocuments(tx, accountId));
  const addDataset = ({ file, sql, json, rowsAtOnce }: Dataset) =>
    addRows(file, readRows<object>(tx, sql, accountId, rowsAtOnce), json);
  for (const dataset of datasets) await addDataset(dataset);
  const everything = { action: null, person: null, text: null, from: null, to: null };
  await addRows('audit-log.jsonl', auditPages(tx, { accountId, filter: everything, language }));
  const everyMessage = { state: null, kind: null, address: null, documentId: null, from: null, to: null };
  await addRows('messages.jsonl', messagePages(tx, { accountId, filter: everyMessage, language }));
  await addRows('api-requests.jsonl', requestPages(tx, accountId));
  for (const sheet of sheets) {
    await writer.add(sheet.file, stoppable(sheetLines(tx, accountId, sheet), signal), { compress: true });
  }
  await addSignatures(tx, accountId, writer, signal);

  const files = await spoolFiles(tx, accountId, listPath(work));
  const { id, display_name: name } = settings.company as { id: string; display_name: string };
  return { company: { id, name }, counts, files };
}

function requestPages(tx: Tx, accountId: string): AsyncGenerator<object[]> {
  const filter = { method: null, statusClass: null, keyId: null, text: null };
  return allPages(async (page) => {
    const { rows, lookedTo } = await readRequestLog(tx, accountId, filter, { ...page, since: new Date(0) });
    return { rows: rows.map(requestJson), lookedTo };
  });
}

async function* jsonLines(batches: AsyncIterable<object[]>, json: readonly string[], counted: { rows: number }) {
  for await (const rows of batches) {
    counted.rows += rows.length;
    yield rows.map((row) => `${JSON.stringify(exportedRow(row, json))}\n`).join('');
  }
}

async function* jsonArray(batches: AsyncIterable<object[]>, json: readonly string[], counted: { rows: number }) {
  yield '[';
  for await (const rows of batches) {
    for (const row of rows) {
      yield `${counted.rows === 0 ? '' : ','}\n  ${JSON.stringify(exportedRow(row, json))}`;
      counted.rows += 1;
    }
  }
  yield '\n]\n';
}

const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

async function* sheetLines(tx: Tx, accountId: string, { sql, heads }: Sheet) {
  yield byteOrderMark + csvLine(heads);
  for await (const rows of readRows<Record<string, string | number | null>>(tx, sql, accountId)) {
    const cells = (row: Record<string, string | number | null>) =>
      Object.values(row).map((value) => (typeof value === 'string' && time.test(value) ? csvTime(value) : value));
    yield rows.map((row) => csvLine(cells(row))).join('');
  }
}

/** Few at once, because a drawn signature may be large. */
const signaturesAtOnce = 20;

/** Writes the signatures, initials and stamps that are pictures. Typed ones are in `documents.jsonl`. */
async function addSignatures(tx: Tx, accountId: string, writer: ExportWriter, signal: AbortSignal): Promise<void> {
  type Pictures = { signature: Buffer | null; initials: Buffer | null; stamp: Buffer | null };
  type Drawn = Pictures & { id: string; document_id: string };
  const sql = `select r.id, r.document_id, r.signature_png as signature, r.initials_png as initials, r.stamp_png as stamp
    from documents d
    join recipients r on r.document_id = d.id and r.account_id = $1
    where d.account_id = $1 and num_nonnulls(r.signature_png, r.initials_png, r.stamp_png) > 0 order by d.id, r.position`;
  for await (const rows of readRows<Drawn>(tx, sql, accountId, signaturesAtOnce)) {
    signal.throwIfAborted();
    for (const { id, document_id, signature, ...others } of rows) {
      const directory = `files/${document_id}/signatures`;
      if (signature) await writer.add(`${directory}/${id}.png`, bytesOf([signature]), { compress: false });
      for (const [kind, png] of Object.entries(others)) {
        if (png) await writer.add(`${directory}/${id}-${kind}.png`, bytesOf([png]), { compress: false });
      }
    }
  }
}

const listPath = ({ directory }: ExportWork) => join(directory, 'stored-files');

/** Saves the list of stored files on the disk. Returns how many there are. */
async function spoolFiles(tx: Tx, accountId: string, path: string): Promise<number> {
  let count = 0;
  const lines = async function* () {
    for await (const files of listFiles(tx, accountId)) {
      count += files.length;
      yield files.map((file) => `${JSON.stringify(file)}\n`).join('');
    }
  };
  await pipeline(lines, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return count;
}

async function copyFiles(source: ExportSource, writer: ExportWriter, work: ExportWork, total: number): Promise<void> {
  const copy = createFileCopier(source, writer, work.signal);
  let done = 0;
  work.onProgress({ done, total });
  const input = createReadStream(listPath(work));
  try {
    for await (const line of readLines(input)) {
      work.signal.throwIfAborted();
      await copy(JSON.parse(line) as ListedFile);
      done += 1;
      work.onProgress({ done, total });
    }
  } finally {
    input.destroy();
  }
}

async function* stoppable(texts: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const text of texts) {
    signal.throwIfAborted();
    if (text !== '') yield Buffer.from(text);
  }
}

function bytesOf(parts: readonly (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  return Readable.from(parts.map((part) => Buffer.from(part)));
}
