import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { personText } from './masthead.ts';
import { formLink } from './panel-parts.ts';
import type { AccountAccess, LockedPageView } from './signing-page-view.ts';

type AccountView = Pick<LockedPageView, 'language' | 'address' | 'accountName' | 'isPreview'>;

/** Offers the sign-in that a signature requires. */
export function accountAccess(view: AccountView, { address, isShown }: AccountAccess): Html {
  const text = texts[view.language];
  const sender = personText(view.accountName);
  if (address === null) return html`<p>${text.linkNowhere(sender)}</p>`;
  const to = html`<bdi class="number">${address}</bdi>`;
  const next = encodeURIComponent(view.address);
  return html`<noscript>${formLink(view)}</noscript>
<div class="needs-script" id="account">
<p id="link-address">${isShown ? text.linkShownHere : text.linkGoesTo(to)}</p>
<p><button type="button" class="button button-primary" id="send-link" aria-describedby="link-address">${text.sendLink}</button></p>
<p class="code-status" id="link-status" role="status"></p>
<div class="problem" id="link-problem" role="alert"></div>
<p><a class="roomy-link" href="/?to=${next}">${text.signInInstead}</a></p>
${!isShown && html`<p class="hint">${text.linkWrongAddress(sender)}</p>\n`}<p class="visually-hidden" role="status" id="progress"></p>
</div>`;
}
