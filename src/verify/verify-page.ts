import { type Html, html } from '../http/html.ts';
import { renderPage } from '../http/page.ts';
import type { Language } from '../world/language.ts';
import { type Finding, findingMeanings, type Verdict } from './findings.ts';
import type { DocumentFacts, PartyFacts, Report, SealFacts } from './report.ts';
import { textsOf } from './texts.ts';
import type { Texts } from './texts-en.ts';

/** The form. `problem`: what was wrong with the last one that was sent. */
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

/** What was found, beginning with what it comes to. `name` is what the file is called where it came from. */
export function renderReportPage(language: Language, report: Report, name: string): string {
  const text = textsOf(language);
  const { verdict, findings } = report;
  const sort = (wanted: 'good' | 'remark' | 'bad') => findings.filter((found) => soundOf(found) === wanted);
  return renderShell(
    language,
    text.verdicts[verdict],
    html`<div class="verdict verdict-${verdict}">
${mark(verdict)}
<h1>${text.verdicts[verdict]}</h1>
<p>${text.meanings[verdict]}</p>
${name !== '' && html`<p class="file"><bdi>${name}</bdi></p>\n`}</div>
${list(text.problem, sort('bad'), text)}${verdict === 'valid' && whatWasSigned(report, text, language)}${list(
  text.checks,
  sort('good'),
  text,
)}${list(text.remarks, sort('remark'), text)}<p><a class="button" href="/verify">${text.another}</a></p>`,
  );
}

/** Why there is no report. */
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

/** A file input takes what is dropped on it: as large as it is drawn, it is the drop zone, and needs no script. */
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
${findings.map(({ id, detail }) => html`<li id="${id}">${text.findings[id](detail)}</li>\n`)}</ul>
</section>
`;
}

/** Shown of a valid document only: what another says of itself proves nothing, and would look as if it did. */
function whatWasSigned({ document, seal, parties }: Report, text: Texts, language: Language): Html {
  return html`${document && seal && documentFacts(document, seal, text, language)}${
    parties.length > 0 && partyList(parties, text, language)
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
)}${row(text.timeStamp, timeStamp && html`${time(timeStamp.at, language)}, <bdi>${timeStamp.authority}</bdi>${timeStamp.isVerified ? '' : ` (${text.unverified})`}`)}${row(
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

function partyList(parties: readonly PartyFacts[], text: Texts, language: Language): Html {
  return html`<section>
<h2>${text.parties}</h2>
<ul class="parties">
${parties.map(
  (party) => html`<li>
<h3><bdi>${party.name}</bdi></h3>
<p class="kind">${text.kinds[party.kind] ?? party.kind}${
    party.role !== null && party.role !== party.kind && html` · <bdi>${party.role}</bdi>`
  }</p>
<dl>
${whatTheyDid(party, text, language)}${row(text.viewed, party.viewedAt === null ? null : time(party.viewedAt, language))}${row(
  text.identifiedBy,
  identification(party, text),
)}</dl>
</li>
`,
)}</ul>
</section>
`;
}

function whatTheyDid({ kind, signedAt, method }: PartyFacts, text: Texts, language: Language): Html | null {
  if (kind === 'cc') return null;
  const how = method === null ? null : (text.methods[method] ?? method);
  const what = kind === 'approver' ? text.approved : text.signed;
  if (signedAt === null) return row(what, html`${text.notSigned}`);
  return row(what, html`${time(signedAt, language)}${kind !== 'approver' && how !== null && `, ${how}`}`);
}

function identification({ channel, authLevel }: PartyFacts, text: Texts): Html | null {
  const parts = [channel && text.channels[channel], authLevel && text.authLevels[authLevel]].filter(Boolean);
  return parts.length === 0 ? null : html`${parts.join(' + ')}`;
}

function row(name: string, value: Html | null): Html | null {
  return value === null ? null : html`<dt>${name}</dt><dd>${value}</dd>\n`;
}

/** In UTC, as on the certificate of completion. A time that is none is shown as it stands. */
function time(at: string, language: Language): Html {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return html`${at}`;
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });
  return html`<time datetime="${date.toISOString()}">${shown.format(date)} UTC</time>`;
}
