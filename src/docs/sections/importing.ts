import { html } from '../../http/html.ts';
import type { FailureReason, UnlockStatus } from '../../imports/import.ts';
import { bullets, code, paragraphs, prose } from '../prose.ts';
import type { Section } from '../reference.ts';
import { table } from '../table.ts';

const reasons: Record<FailureReason, string> = {
  unsupported_type:
    'Not a PDF, and not a document that the drive exports as one: an HTML page or an SVG image, for example. Also a folder or a shortcut.',
  too_large: 'More than 150 MB, as counted while it came.',
  export_too_large: 'More than 10 MB once the drive had exported it.',
  not_found:
    'The drive has no such file, or not for this token, or it is in the bin. The vendor has the envelope no more, or has purged its documents.',
  permission_denied:
    'The file may not be downloaded, or the token ended while the import ran. The vendor does not show it to the person who connected.',
  link_expired: 'The link no longer leads to a file: the store answers with an error page of its own, or with nothing.',
  download_failed: 'The file broke off, came too slowly, or was led away from the store.',
  invalid_pdf: 'A PDF that does not open: damaged, locked with a password, or made for one reader alone.',
  source_unavailable:
    'The drive, the store or the vendor did not answer, also when asked again. A vendor that fails everything is waited for, up to two weeks.',
  storage_unavailable:
    'The service could not store the file, though it kept trying. Repeat the request with the same `Idempotency-Key`: it tries just these files again.',
  interrupted:
    'The server stopped while the import ran, and the token was gone with it. Repeat the request with the same `Idempotency-Key` and a fresh token: it carries on with just these. Of a migration: the vendor was disconnected, or another account of it connected, before everything was in.',
};

const unlocks: Record<UnlockStatus, string> = {
  unlocked: 'The document can be edited. One credit a page was charged, unless it had been unlocked before.',
  pending: 'It takes longer than the answer waits, half a minute, and goes on by itself. Ask for the items again.',
  skipped:
    'It was not unlocked, and nothing was charged: the file did not land, or (`insufficient_credits`) there are fewer credits than pages. It can be unlocked later.',
  failed:
    'It could not be unlocked, and nothing was charged: nobody may copy from it (`encrypted_pdf`), nothing is written on it that can be read (`no_text`), or it is damaged or takes too much (`conversion_failed`).',
};

/** What happens to the files of an import, beyond what the endpoints' fields say. */
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
  'An import brings files in from a cloud drive, with a token of your own application, or from a file store, by links that you hold. Each becomes a draft of type `other`, titled by its name, without recipients. The answer comes when the files are in, after 85 seconds at the latest. Files that are not in by then continue in the background: the import is `running`, and its items show what becomes of them.',
)}
${bullets(
  'A link leads to exactly one file: a shared link, a direct link of a chooser, or a temporary link. It is followed within the hosts of the store only. The store is the one whose links the operator of the server has set, Dropbox unless told otherwise.',
  'What a file is, its contents decide: never its name, nor what it is declared as. PDFs are taken as they are; native documents, spreadsheets and slides of the drive arrive as the PDFs it exports.',
  'The same file resolves to the same document: the same id and revision in the drive, or the same bytes, within the account. It counts as `filed`, with `duplicate` true, and uses no storage again.',
  'One failing file stops no other. The counts are exact at every moment, also while the import runs.',
  'A request that was begun is carried through, whether or not the client waits. Its repetition with the same `Idempotency-Key` gets idempotency_in_progress while it runs, and the same answer afterwards. If the server was stopped in between, the repetition carries on with what is missing, and gets the answer then. If some files were still running, or ended as `storage_unavailable`, the answer is not remembered: the repetition answers with what became of them. Either costs one unit of the rate budget.',
  'The access token counts as no part of the request: a repetition with a refreshed one is the same request. It is never stored and never logged.',
  'A drive or a store that asks to be called later is called later, within the time of the request. An answer of 502 is not remembered under the key.',
)}
<h3 id="import-outcomes">Outcomes</h3>
${table(
  'Why a file did not land',
  ['Reason', 'Meaning'],
  Object.entries(reasons).map(([reason, meaning]) => [code(reason), prose(meaning)]),
)}
${table(
  'What came of unlocking',
  ['Status', 'Meaning'],
  Object.entries(unlocks).map(([status, meaning]) => [code(status), prose(meaning)]),
)}
${paragraphs(
  "Unlocking turns a flat PDF into headings, paragraphs, lists, tables and form fields, each with its position, in the order in which they are read; pages that are pictures are read where the server can. A document is paid for once. The plan's credits are added once in a UTC month, before the first payment takes any, and stay until they are used: bought credits are spent last.",
)}
<h3 id="migrations">Migrations</h3>
${paragraphs(
  'A migration (`esign_vendor`) brings in every envelope that was completed in the e-signature vendor account which an owner has connected in Settings. It needs no plan but one with the API, takes test keys too, and runs in the background for as long as it takes: a vendor that allows 3,000 calls an hour hands out 100,000 envelopes in a day and a half.',
)}
${bullets(
  "Each envelope becomes one document of type `other` and status `completed`, titled by the envelope's subject, with the times at which it was sent and completed, its recipients (name, e-mail, role, order, and when they signed or declined) and the vendor's combined PDF with its certificate. It is not sealed again, sends nothing and fires no event.",
  'Copied recipients, and those who only view or forward, get the role `cc`. What a document of the vendor has no place for here, such as the fields on its pages, is in its PDF.',
  'An envelope is one document, however often it is migrated: a later migration resolves it to the same one, downloads nothing and uses no storage.',
  '`total_files` grows while the list is read. When everything listed is in, the end of the list is read again, for what was completed meanwhile.',
  'The limits of the vendor are obeyed: what it asks to be asked later is asked later, and an envelope that fails while others come fails alone, after five attempts.',
  'It goes on after a restart where it was. When the vendor ends the connection it waits until an owner connects the same account again, up to two weeks. When it can never go on, what is open fails; an item without a name stands for what was not listed.',
)}
<h3 id="import-quotas">Quotas</h3>
${bullets(
  "Every file named counts toward the plan's files of the UTC day, also one that fails or is known already.",
  'Storage counts the bytes of new files in the UTC month. Before anything is downloaded, room is held for each file: its declared size, else the most a file may have. It is settled when the file lands, and given back when it fails.',
  'A request that the quota has no room for answers import_quota_exceeded, and nothing is imported or downloaded.',
  'A migration is never refused for its quota: its files count toward the storage of the month, and not toward the files of the day.',
)}
`,
};
