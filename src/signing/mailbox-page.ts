import { Html, html } from '../http/html.ts';
import type { MailboxMessage } from '../platform/mailbox.ts';

/**
 * The policy of the mailbox page allows no script and nothing from other hosts. It allows inline styles, because e-mails
 * have their styles on their elements and inherit this policy in their frames. All content is escaped.
 */
export const mailboxContentSecurityPolicy =
  "default-src 'none'; img-src data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Renders the local mailbox for developers: the messages that would have been sent, newest first. */
export function renderMailboxPage(messages: MailboxMessage[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local mailbox · Countersign</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/mailbox.css">
</head>
<body>
<header>
<h1>Local mailbox</h1>
<p>No mail server is configured, so messages stay on this machine. Set <code>SMTP_URL</code> and <code>SMS_URL</code> to deliver them.</p>
<p><a href="/mailbox">Reload</a></p>
</header>
<main>
${messages.length === 0 ? nothingYet : messages.map(article)}
</main>
</body>
</html>
`.toString();
}

const nothingYet = html`<p class="empty">No messages yet. Send a document with a live key, and its requests appear here.</p>`;

function article({ id, channel, to, subject, text, html: markup, links, created_at }: MailboxMessage): Html {
  return html`<article aria-labelledby="m-${id}">
<p class="facts"><span class="channel">${channel === 'email' ? 'E-mail' : 'SMS'}</span> to <bdi>${to}</bdi> <time datetime="${created_at}">${readable(created_at)}</time></p>
<h2 id="m-${id}" dir="auto">${subject ?? text.split('\n')[0] ?? ''}</h2>
${links.length > 0 && html`<ul>${links.map(link)}</ul>`}
${markup !== null && frame(markup)}
<details${markup === null && new Html(' open')}><summary>Plain text</summary><pre dir="auto">${text}</pre></details>
</article>
`;
}

/** Puts an e-mail in a frame without scripts. Its links open in a new tab. */
function frame(markup: string): Html {
  return html`<details><summary>As it looks</summary><iframe title="The e-mail as it looks" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy" srcdoc="${markup}"></iframe></details>`;
}

/** Makes a link, of web addresses only. */
function link(url: string): Html {
  return /^https?:\/\//i.test(url)
    ? html`<li><a href="${url}" rel="noreferrer">${url}</a></li>`
    : html`<li>${url}</li>`;
}

function readable(createdAt: string): string {
  return createdAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
}
