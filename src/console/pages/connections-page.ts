import type { Connection } from '../../esign/connection.ts';
import { type Html, html } from '../../http/html.ts';
import { connectionTexts } from './connection-texts.ts';
import { renderShell } from './shell.ts';
import { type Language, texts } from './texts.ts';

export interface ConnectionsView {
  company: string;
  connection: Connection | null;
  /** Null: this service is not registered with the vendor. */
  vendorHost: string | null;
  isOwner: boolean;
  /** It was disconnected just now, and the vendor did not confirm that the tokens are void. */
  isUnrevoked: boolean;
}

export function renderConnectionsPage(language: Language, view: ConnectionsView): string {
  const text = connectionTexts[language];
  const { connection } = view;
  return renderShell(
    language,
    text.title,
    html`<section class="card" aria-labelledby="title">
<h1 id="title">${text.title}</h1>
<p class="lead"><bdi>${view.company}</bdi></p>
<h2>${text.vendor}</h2>
<p>${text.purpose}</p>
${view.isUnrevoked && connection === null && html`<p class="problem">${text.unrevoked}</p>\n`}<p><strong>${
      text.statuses[connection?.status ?? 'not_connected']
    }</strong></p>
${connection !== null && facts(language, connection)}
<p class="problem" id="problem" role="alert"></p>
${actions(language, view)}
<noscript><p class="problem">${texts[language].scriptNeeded}</p></noscript>
<p><a href="/">${text.home}</a></p>
</section>`,
  );
}

function facts(language: Language, connection: Connection): Html {
  const text = connectionTexts[language];
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const rows: [string, string | null][] = [
    [text.account, connection.vendor_account_name ?? connection.vendor_account_id],
    [text.person, connection.vendor_user_email ?? connection.vendor_user_name],
    [text.since, day.format(new Date(connection.connected_at))],
    [text.by, connection.connected_by],
  ];
  return html`<dl class="facts">${rows.map(
    ([name, value]) => value !== null && html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>\n`,
  )}</dl>`;
}

/** Only what this person may do, and this service can. */
function actions(language: Language, { connection, vendorHost, isOwner }: ConnectionsView): Html {
  const text = connectionTexts[language];
  const canConnect = vendorHost !== null && connection?.status !== 'connected';
  if (!isOwner) return html`<p class="hint">${text.ownersOnly}</p>`;
  return html`${connection?.status === 'reconnect_needed' && html`<p>${text.reconnectText}</p>\n`}${
    vendorHost === null && html`<p class="hint">${text.unavailable}</p>\n`
  }${canConnect && html`<p class="hint">${text.leadsTo} <bdi>${vendorHost}</bdi>.</p>\n`}<div class="others needs-script">
${canConnect && html`<button type="button" class="button button-primary" id="connect">${text.connect}</button>\n`}${
  connection !== null && html`<button type="button" class="button" id="disconnect">${text.disconnect}</button>\n`
}</div>${connection !== null && html`\n<p class="hint">${text.disconnectText}</p>`}`;
}
