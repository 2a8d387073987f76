import { html } from '../../http/html.ts';
import type { FailureReason } from '../../imports/import.ts';
import type { UnlockStatus } from '../../unlock/jobs/document-unlock.ts';
import { bullets, code, paragraphs, prose } from '../prose.ts';
import type { Section } from '../reference.ts';
import { table } from '../table.ts';

const reasons: Record<FailureReason, string> = {
  unsupported_type:
    'Neither a PDF nor a document that the drive can export as one. Examples: a ZIP archive, an HTML page, an SVG image, a folder, a shortcut.',
  too_large: 'More than 150 MB, counted during the download.',
  export_too_large: 'More than 10 MB after the export by the drive.',
  not_found:
    'The drive has no such file for this token, or the file is in the bin. Or the vendor has deleted the envelope or its documents.',
  permission_denied:
    'The file may not be downloaded, or the token expired during the import. Or the vendor does not show it to the person who connected.',
  link_expired: 'The link no longer leads to a file: the store answers with an error page.',
  download_failed: 'The download broke off, was too slow, or was redirected to another site.',
  invalid_pdf: 'A PDF that cannot be opened: damaged, locked with a password, or made for a single PDF program.',
  source_unavailable:
    'The drive, the store or the vendor did not answer, even after retries. If a vendor fails completely, a migration waits for it for up to two weeks.',
  storage_unavailable:
    'The service could not check or store the file, even after retries. Or a link that was imported before leads to a new file, and the storage of the month has no room for it. Repeat the request with the same `Idempotency-Key` to retry these files only.',
  interrupted:
    'The server stopped during the import and lost the token. Repeat the request with the same `Idempotency-Key` and a fresh token to retry these files only. In a migration: the vendor was disconnected, or another vendor account was connected, before the end.',
};

const unlocks: Record<UnlockStatus, string> = {
  unlocked: 'The document can be edited. It cost one credit a page, unless it was unlocked before.',
  pending: 'Unlocking takes longer than 30 seconds and continues in the background. List the items again later.',
  skipped:
    'Not unlocked, not charged. The file was not imported, or there are fewer credits than pages (`insufficient_credits`). You can unlock it later.',
  failed:
    'Could not be unlocked, not charged. The PDF forbids copying (`encrypted_pdf`), has no readable text (`no_text`), or is damaged or too large to convert (`conversion_failed`).',
};

/** Chapter on imports: outcomes, vendor migrations and quotas. */
export const importing: Section = {
  id: 'importing',
  title: 'Importing files',
  entries: [
    { id: 'import-outcomes', title: 'Outcomes' },
    { id: 'migrations', title: 'Migrations' },
    { id: 'import-quotas', title: 'Quotas' },
  ],
  body: html`
${paragraphs(
  'An import copies files from a cloud drive, with a token of your application, or from a file store, by links. Each file becomes a draft of type `other` without recipients. Its title is the name of the file without `.pdf`. The answer comes when all files are imported, after 85 seconds at the latest. Remaining files continue in the background: the import is `running`, and its items show the progress.',
)}
${bullets(
  'A link leads to exactly one file: a shared link, a direct link from a file chooser, or a temporary link. Redirects are followed only within the hosts of the store. The default store is Dropbox. The operator of the server can set another one.',
  'The type of a file is read from its contents, not from its name or declared type. PDFs are stored unchanged. Native documents, spreadsheets and slides are exported as PDF by the drive.',
  'The same file becomes the same document: the same id and revision in the drive, or the same bytes, within the account. It counts as `filed`, with `duplicate` true, and uses no additional storage. Within one import, the first of them in the order sent creates the document.',
  'A file that fails does not stop the others. The counts are exact at any time, also while the import runs.',
  'An import continues if the client disconnects. A repeated request with the same `Idempotency-Key` gets idempotency_in_progress while the import runs, and the same answer afterwards. If the server stopped in between, the repeated request imports the missing files and then answers. If some files were still running, or ended as `interrupted` or `storage_unavailable`, the answer is not stored: the repeated request answers with the new state. Each request costs one unit of the rate budget.',
  'The access token is not part of the request for idempotency: you can repeat a request with a refreshed token. It is never stored and never logged.',
  'If a drive or a store answers with a delay to wait, the import waits, within the time limit of the request. A 502 answer is not stored under the key.',
)}
<h3 id="import-outcomes">Outcomes</h3>
${table(
  'Why a file was not imported',
  ['Reason', 'Meaning'],
  Object.entries(reasons).map(([reason, meaning]) => [code(reason), prose(meaning)]),
)}
${table(
  'Outcomes of unlocking',
  ['Status', 'Meaning'],
  Object.entries(unlocks).map(([status, meaning]) => [code(status), prose(meaning)]),
)}
${paragraphs(
  "Unlocking turns a flat PDF into headings, paragraphs, lists, tables and form fields, each with its position, in reading order. Scanned pages are read if the server has text recognition. A document is charged once. The plan's credits are added once per UTC month, before the first charge, and do not expire. A month in which nothing is unlocked adds none. Bought credits are spent last.",
)}
<h3 id="migrations">Migrations</h3>
${paragraphs(
  'A migration (`esign_vendor`) imports every completed envelope of the e-signature vendor account that an owner has connected in Settings. It needs a plan with API access, works with test keys too, and runs in the background without a time limit. With a vendor limit of 3,000 calls an hour, 100,000 envelopes take about a day and a half.',
)}
${bullets(
  "Each envelope becomes one document of type `other` and status `completed`. It has the envelope's subject as its title, the times at which it was sent and completed, its recipients (name, e-mail, role, order, and when they signed or declined) and the vendor's combined PDF with its certificate. It is not sealed again, sends no messages and fires no events.",
  'Copied recipients, and those who only view or forward, get the role `cc`. Other data of the vendor, such as fields on the pages, is only in the PDF.',
  'An envelope is always one document. A later migration finds the same document, downloads nothing and uses no storage.',
  '`total_files` grows while the list is read. At the end the list is read once more, for envelopes that were completed in the meantime.',
  'A migration respects the rate limits of the vendor. An envelope that keeps failing while others succeed is marked as failed after five attempts.',
  'After a restart a migration resumes where it stopped. If the vendor ends the connection, it waits up to two weeks for an owner to connect the same account again. If it cannot resume, the open items fail. An item without a name stands for envelopes that were not listed.',
)}
<h3 id="import-quotas">Quotas</h3>
${bullets(
  "Every file in a request counts toward the plan's files of the UTC day, also if it fails or is already known.",
  'Storage counts the bytes of new files in the UTC month. Storage is reserved for each file before the download: its declared size, or else the maximum size of a file. The actual size replaces it when the file is stored. It is released when the file fails. A drive file with a known revision, and a link that led to a file of the same size before, need no free storage.',
  'A request beyond the quota answers import_quota_exceeded, and nothing is imported or downloaded.',
  'A migration is never refused because of a quota. Its files count toward the storage of the month, but not toward the files of the day.',
)}
`,
};
