import { html } from '../../../http/html.ts';
import type { Language } from '../../../platform/language.ts';
import { type NotConnected, notConnectedTexts } from './not-connected-texts.ts';
import { renderNotice } from './shell.ts';

/** Renders why the connection to the vendor failed, and what to do. */
export function renderNotConnectedPage(language: Language, reason: NotConnected): string {
  const text = notConnectedTexts[language];
  const [href, label] = reason === 'signed_out' ? ['/', text.signIn] : ['/settings/connections', text.back];
  return renderNotice(
    language,
    text.title,
    html`<p>${text.reasons[reason]}</p>
<p><a class="button button-primary" href="${href}">${label}</a></p>`,
  );
}
