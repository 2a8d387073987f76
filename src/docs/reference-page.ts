import { type Html, html } from '../http/html.ts';
import { renderPage } from '../http/page.ts';
import type { ReferenceOptions, Section } from './reference.ts';
import { authentication } from './sections/authentication.ts';
import { endpointSections } from './sections/endpoints.ts';
import { errors } from './sections/errors.ts';
import { importing } from './sections/importing.ts';
import { introduction } from './sections/introduction.ts';
import { lifecycle } from './sections/lifecycle.ts';
import { objects } from './sections/objects.ts';
import { rateLimits } from './sections/rate-limits.ts';
import { idempotency, pagination, requests } from './sections/requests.ts';
import { verification } from './sections/verification.ts';
import { versioning } from './sections/versioning.ts';
import { webhooks } from './sections/webhooks.ts';

/** Renders the whole reference as one page. */
export function renderReferencePage({ endpoints, baseUrl, plans }: ReferenceOptions): string {
  const base = baseUrl();
  const docsUrl = `${new URL(base).origin}/docs`;
  return page([
    introduction(base),
    authentication(endpoints),
    rateLimits(plans),
    requests,
    idempotency(base),
    pagination,
    ...endpointSections(endpoints, base, docsUrl),
    objects(endpoints),
    lifecycle,
    importing,
    webhooks,
    verification(new URL(base).origin),
    errors(endpoints, docsUrl),
    versioning,
  ]);
}

function page(sections: Section[]): string {
  return renderPage({
    language: 'en',
    title: 'Countersign API reference',
    icon: '/docs/icon.svg',
    stylesheets: ['/docs/style.css'],
    body: html`<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><img src="/docs/icon.svg" alt="" width="28" height="28"> Countersign</a>
<p>API reference <span class="version">v1</span> · <a href="/docs/index.html">Guides</a></p>
</header>
<nav class="contents" aria-label="Contents">
<ul>
${sections.map(navigationItem)}</ul>
</nav>
<main id="content">
<h1>API reference</h1>
${sections.map(sectionOfPage)}</main>
</body>`,
  });
}

function navigationItem({ id, title, entries }: Section): Html {
  return html`<li><a href="#${id}">${title}</a>${
    entries.length === 0
      ? null
      : html`<ul>${entries.map(
          (entry) =>
            html`<li><a href="#${entry.id}">${entry.title}${
              entry.method === undefined
                ? null
                : html` <span class="method ${entry.method.toLowerCase()}">${entry.method}</span>`
            }</a></li>`,
        )}</ul>`
  }</li>
`;
}

function sectionOfPage({ id, title, body }: Section): Html {
  return html`<section class="chapter" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title"><a href="#${id}">${title}</a></h2>
${body}</section>
`;
}
