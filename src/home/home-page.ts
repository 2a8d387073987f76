import { type Html, html } from '../http/html.ts';
import { renderPage } from '../http/page.ts';

/** What stands at the address of the server: what it is, for those who were asked to sign and those who write programs. */
export function renderHomePage({ showsMailbox }: { showsMailbox: boolean }): string {
  return renderPage({
    language: 'en',
    title: 'Countersign',
    icon: '/docs/icon.svg',
    stylesheets: ['/home.css'],
    body: html`<body>
<main>
<p class="brand"><img src="/docs/icon.svg" alt="" width="36" height="36"> Countersign</p>
<h1>Documents, sent for signature and sealed.</h1>
<p class="lead">This server creates documents for electronic signature, brings them to everybody who has to sign, and seals the completed PDF with a digital signature.</p>
<ul class="ways">
<li>
<h2>Were you asked to sign?</h2>
<p>Open the link in the message you received. It leads to your document, and it is yours alone: there is nothing to sign in to.</p>
</li>
<li>
<h2>Do you write programs?</h2>
<p>The reference says how to create a document, send it and follow it, beginning with a first request to paste.</p>
<p class="links"><a href="/docs">API reference</a> <a href="/docs/openapi.json">OpenAPI description</a></p>
</li>
${showsMailbox && mailbox}</ul>
</main>
</body>`,
  });
}

const mailbox: Html = html`<li>
<h2>Do you run this server?</h2>
<p>No mail server is set, so messages stay in the local mailbox. Only this machine can see it.</p>
<p class="links"><a href="/mailbox">Local mailbox</a></p>
</li>
`;
