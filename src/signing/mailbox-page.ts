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

export const mailboxStylesheet = `
:root { color-scheme: light dark; --page: #f1efe9; --card: #fffefb; --ink: #1b1f29; --soft: #565c69; --line: #dfdbd2; --link: #22407a; --tag: #e6e9f1; }
@media (prefers-color-scheme: dark) {
  :root { --page: #121419; --card: #1b1e25; --ink: #ebe9e3; --soft: #a9aeba; --line: #353a46; --link: #a9c2f7; --tag: #2a3346; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem 4rem; background: var(--page); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
header, main { max-width: 46rem; margin: 0 auto; }
header { margin-bottom: 1.5rem; color: var(--soft); }
header p { margin: 0.25rem 0; }
h1 { margin: 0 0 0.25rem; font-size: 1.6rem; line-height: 1.25; color: var(--ink); }
h2 { margin: 0.35rem 0 0.75rem; font-size: 1.1rem; line-height: 1.4; overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code { font-size: 0.9em; }
article { margin: 0 0 1rem; padding: 1.1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.facts { display: flex; flex-wrap: wrap; gap: 0.2rem 0.5rem; align-items: baseline; margin: 0; color: var(--soft); font-size: 0.9rem; }
.facts bdi { color: var(--ink); overflow-wrap: anywhere; }
.facts time { margin-left: auto; }
.channel { padding: 0.05rem 0.5rem; border-radius: 1rem; background: var(--tag); color: var(--ink); font-size: 0.8rem; font-weight: 600; }
ul { margin: 0 0 0.75rem; padding: 0; list-style: none; }
li { overflow-wrap: anywhere; font-size: 0.95rem; }
summary { padding: 0.25rem 0; cursor: pointer; color: var(--soft); font-size: 0.9rem; }
iframe { width: 100%; height: 46rem; max-height: 85vh; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
pre { margin: 0.25rem 0 0.5rem; padding: 0.9rem 1rem; background: var(--page); border-radius: 8px; font: 0.85rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.empty { padding: 3rem 1rem; text-align: center; color: var(--soft); border: 1px dashed var(--line); border-radius: 10px; }
`;
