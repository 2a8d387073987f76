import { type Html, html } from '../http/html.ts';
import { renderPage } from '../http/page.ts';
import { withoutDirectionOverrides } from '../platform/direction-overrides.ts';
import type { Language } from '../platform/language.ts';
import { type Finding, findingMeanings, type Verdict } from './findings.ts';
import type { DocumentFacts, RecipientFacts, Report, SealFacts, TimeStampFacts } from './report.ts';
import { linkOf, textsOf } from './texts.ts';
import type { Texts } from './texts-en.ts';

/** Renders the form. `problem` says what was wrong with the last upload. */
export function renderUploadPage(language: Language, problem: string | null = null): string {
  const text = textsOf(language);
  return renderShell(
    language,
    text.title,
    html`<h1>${text.title}</h1>
<p class="lead">${text.lead}</p>
${problem !== null && html`<p class="problem" role="alert" id="problem">${problem}</p>\n`}${uploadForm(text, problem !== null)}`,
  );
}

/** Renders the report, with the verdict first. `name` is the file's name on the sender's device. */
export function renderReportPage(language: Language, report: Report, name: string): string {
  const text = textsOf(language);
  const { verdict, findings } = report;
  const isTest = verdict === 'valid' && report.document?.mode === 'test';
  const sort = (wanted: 'good' | 'remark' | 'bad') => findings.filter((found) => soundOf(found) === wanted);
  return renderShell(
    language,
    text.verdicts[verdict],
    html`<div class="verdict verdict-${isTest ? 'test' : verdict}">
${mark(verdict)}
<h1>${text.verdicts[verdict]}</h1>
${
  isTest &&
  html`<p class="test">${text.testMode}</p>
`
}<p>${text.meanings[verdict]}</p>
${name !== '' && html`<p class="file"><bdi>${name}</bdi></p>\n`}</div>
${list(text.problem, sort('bad'), text)}${verdict === 'valid' && whatWasSigned(report, text, language)}${list(
  text.checks,
  sort('good'),
  text,
)}${list(text.remarks, sort('remark'), text)}<p><a class="button" href="/verify">${text.another}</a></p>`,
  );
}

/** Renders the reason why there is no report. */
export function renderNoticePage(language: Language, title: string, message: string): string {
  const text = textsOf(language);
  return renderShell(
    language,
    title,
    html`<h1>${title}</h1>
<p class="lead">${message}</p>
<p><a class="button" href="/verify">${text.another}</a></p>`,
  );
}

function renderShell(language: Language, title: string, content: Html): string {
  return renderPage({
    language,
    title: `${title} · Countersign`,
    icon: '/docs/icon.svg',
    stylesheets: ['/verify.css'],
    body: html`<body>
<header><p><a class="brand" href="/"><img src="/docs/icon.svg" alt="" width="28" height="28"> Countersign</a></p></header>
<main>
${content}
</main>
</body>`,
  });
}

/** The file input is as large as the drop zone, so that dropping a file works without a script. */
function uploadForm(text: Texts, isWrong: boolean): Html {
  return html`<form method="post" action="/verify" enctype="multipart/form-data">
<label for="file">${text.file}</label>
<input class="zone" type="file" id="file" name="file" accept="application/pdf,.pdf" required aria-describedby="hint${isWrong && ' problem'}">
<p class="hint" id="hint">${text.fileHint}</p>
<button class="button button-primary" type="submit">${text.verify}</button>
</form>
<p class="privacy">${text.privacy}</p>`;
}

const marks: Record<Verdict, Html> = {
  valid: html`<path d="m9 16.5 5 5L23.5 11"/>`,
  altered: html`<path d="m11 11 10 10m0-10L11 21"/>`,
  not_sealed_here: html`<path d="M16 9v9m0 4.5v.5"/>`,
  not_sealed: html`<path d="M10 16h12"/>`,
  unreadable: html`<path d="M12.5 12.5a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.1-1.5 2.3m0 4v.5"/>`,
};

function mark(verdict: Verdict): Html {
  return html`<svg viewBox="0 0 32 32" width="48" height="48" aria-hidden="true"><circle cx="16" cy="16" r="14.5"/>${marks[verdict]}</svg>`;
}

function soundOf({ id }: Finding): 'good' | 'remark' | 'bad' {
  const meaning = findingMeanings[id];
  return meaning === 'good' || meaning === 'remark' ? meaning : 'bad';
}

function list(heading: string, findings: readonly Finding[], text: Texts): Html | null {
  if (findings.length === 0) return null;
  return html`<section>
<h2>${heading}</h2>
<ul class="findings findings-${soundOf(findings[0] as Finding)}">
${findings.map(({ id, detail }) => html`<li id="${id}">${withoutDirectionOverrides(text.findings[id](detail))}</li>\n`)}</ul>
</section>
`;
}

/** Rendered for valid documents only. The statements of other files prove nothing, but would look proven. */
function whatWasSigned({ document, seal, recipients }: Report, text: Texts, language: Language): Html {
  return html`${document && seal && documentFacts(document, seal, text, language)}${
    recipients.length > 0 && recipientList(recipients, document?.mode === 'test', text, language)
  }`;
}

function documentFacts(document: DocumentFacts, seal: SealFacts, text: Texts, language: Language): Html {
  const { name, signedAt, timeStamp } = seal;
  return html`<section>
<h2>${text.document}</h2>
<dl>
${row(text.documentTitle, html`<bdi>${document.title}</bdi>`)}${row(text.sentBy, name === null ? null : html`<bdi>${name}</bdi>`)}${row(
  text.sealedAt,
  signedAt === null ? null : time(signedAt, language),
)}${row(text.timeStamp, timeStamp && timeStampOf(timeStamp, text, language))}${row(
  text.documentId,
  html`<code>${document.id}</code>`,
)}${document.file && fileRows(document.file, text)}${row(text.contentHash, html`<code>${document.contentSha256}</code>`)}${row(
  text.auditHead,
  html`${document.auditEntries} <code>${document.auditHead}</code>`,
)}</dl>
</section>
`;
}

function fileRows({ name, before, after }: NonNullable<DocumentFacts['file']>, text: Texts): Html {
  return html`${row(text.attachedFile, html`<bdi>${name}</bdi>`)}${row(
    text.fileBefore,
    html`<code>${before.sha256}</code>`,
  )}${row(text.fileAfter, after && html`<code>${after.sha256}</code>`)}`;
}

function recipientList(recipients: readonly RecipientFacts[], isTest: boolean, text: Texts, language: Language): Html {
  return html`<section>
<h2>${text.recipients}</h2>
<ul class="recipients">
${recipients.map(
  (recipient) => html`<li>
<h3><bdi>${recipient.name}</bdi></h3>
<p class="kind">${text.kinds[recipient.kind] ?? recipient.kind}${
    recipient.role !== null && recipient.role !== recipient.kind && html` · <bdi>${recipient.role}</bdi>`
  }</p>
<dl>
${whatTheyDid(recipient, text, language)}${row(text.attested, attestation(recipient, text, language))}${row(text.viewed, recipient.viewedAt === null ? null : time(recipient.viewedAt, language))}${row(
  text.identifiedBy,
  identification(recipient, isTest, text),
)}</dl>
</li>
`,
)}</ul>
</section>
`;
}

function whatTheyDid({ kind, signedAt, method }: RecipientFacts, text: Texts, language: Language): Html | null {
  if (kind === 'cc') return null;
  const how = method === null ? null : (text.methods[method] ?? method);
  const what = kind === 'approver' ? text.approved : text.signed;
  if (signedAt === null) return row(what, html`${text.notSigned}`);
  return row(what, html`${time(signedAt, language)}${kind !== 'approver' && how !== null && `, ${how}`}`);
}

/** The time that a time-stamp authority states, else the time by the clock of the service. */
function attestation({ attestation }: RecipientFacts, text: Texts, language: Language): Html | null {
  if (attestation === null) return null;
  const { at, timeStamp } = attestation;
  if (timeStamp !== null) return timeStampOf(timeStamp, text, language);
  return at === null ? null : html`${time(at, language)}, ${text.byService}`;
}

function timeStampOf({ at, authority, isVerified }: TimeStampFacts, text: Texts, language: Language): Html {
  return html`${time(at, language)}, <bdi>${authority}</bdi>${isVerified ? '' : ` (${text.unverified})`}`;
}

function identification({ channel, authLevel }: RecipientFacts, isTest: boolean, text: Texts): Html | null {
  const parts = [channel && linkOf(channel, isTest, text), authLevel && text.authLevels[authLevel]].filter(Boolean);
  return parts.length === 0 ? null : html`${parts.join(' + ')}`;
}

function row(name: string, value: Html | null): Html | null {
  return value === null ? null : html`<dt>${name}</dt><dd>${value}</dd>\n`;
}

/** Renders a time in UTC, as on the certificate of completion. Text that is not a time is shown unchanged. */
function time(at: string, language: Language): Html {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return html`${at}`;
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });
  return html`<time datetime="${date.toISOString()}">${shown.format(date)} UTC</time>`;
}
