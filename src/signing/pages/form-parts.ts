import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import type { NamedField } from './field-controls.ts';
import { langOf } from './language-menu.ts';
import type { LockedPageView, SigningPageView } from './signing-page-view.ts';

/** Parts of the controls of the form that needs no script. */

/** A problem with the control that it is about, and its sentence. */
export interface Told {
  target: string | null;
  words: Html | string;
}

/** Renders the name of a field within a sentence: the sender's words in the document's language, and the page's number. */
export function nameIn(view: SigningPageView, { field, caption, shortName }: NamedField): Html {
  const own = field.group ?? field.label?.trim();
  const name = field.group ?? caption;
  return own ? html`<span${langOf(view)}>${name}</span>${shortName.slice(name.length)}` : html`${shortName}`;
}

/** Renders the attributes that tie a control to its hint and its problem. */
export function described(told: readonly Told[], id: string, hasHint: boolean): Html | null {
  const isWrong = told.some(({ target }) => target === id);
  const ids = [...(hasHint ? [`${id}-hint`] : []), ...(isWrong ? [`${id}-error`] : [])].join(' ');
  return html`${ids !== '' && html` aria-describedby="${ids}"`}${isWrong && html` aria-invalid="true"`}`;
}

/** Renders the problem of a control, if it has one. */
export function errorOf(told: readonly Told[], id: string): Html | null {
  const found = told.find(({ target }) => target === id);
  return found === undefined ? null : html`<p class="error" id="${id}-error">${found.words}</p>\n`;
}

/** A form that stays on the page when the verification has ended. */
export interface KeptFormView extends Pick<LockedPageView, 'language' | 'address'> {
  /** Whether the page is in a frame, whose verification doesn't count in another tab. */
  isFramed: boolean;
}

/**
 * Tells that the verification has ended. The link opens the page for a new one, in another tab so that the entries stay, or in the
 * same frame.
 */
export function verificationEnded({ language, address, isFramed }: KeptFormView): Told {
  const { refusals, showStatus } = texts[language].script;
  const target = html`${!isFramed && html` target="_blank"`}`;
  const words = html`${refusals.verification_required} <a href="${address}"${target}>${showStatus}</a>`;
  return { target: null, words };
}
