import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import { languageMenu, type MenuForm } from './language-menu.ts';
import type { LockedPageView, PageBrand } from './signing-page-view.ts';

/**
 * Renders the company's logo, or its name, and the menu of languages at the top, below a notice in test mode or a preview. A
 * preview has no menu.
 */
export function masthead(
  view: Pick<LockedPageView, 'language' | 'accountName' | 'brand' | 'testMode' | 'isPreview'>,
  menuForm: MenuForm | null | 'no menu' = null,
): Html {
  const text = texts[view.language];
  return html`<header class="masthead" id="masthead">
${view.isPreview && html`<p class="test-mode"><strong>${text.preview}</strong> <span>${text.previewMeaning}</span></p>\n`}${view.testMode && html`<p class="test-mode"><strong>${text.testMode}</strong> <span>${text.testModeMeaning}</span></p>\n`}<div class="masthead-row">
<p class="sender">${logo(view.accountName, view.brand) ?? nameWithInitial(view.accountName)}</p>
${!view.isPreview && menuForm !== 'no menu' && languageMenu(view.language, menuForm)}</div>
</header>`;
}

/** Renders the company's logo with its name as the text for those who don't see it. Null: it has none. */
export function logo(accountName: string, brand: PageBrand): Html | null {
  if (brand.logo === null) return null;
  const { address, width, height } = brand.logo;
  return html`<span class="logo"><img src="${address}" width="${width}" height="${height}" alt="${accountName}"></span>`;
}

function nameWithInitial(accountName: string): Html {
  return html`<span class="monogram" aria-hidden="true">${initial(accountName)}</span>${personText(accountName)}`;
}

/** Adds the stylesheet of the company's colours, which override our own. */
export function branded(stylesheets: readonly string[], { stylesheet }: PageBrand): readonly string[] {
  return stylesheet === null ? stylesheets : [...stylesheets, stylesheet];
}

/** Renders a name within a sentence, isolated so that its letters or control characters don't move the text around it. */
export function personText(name: string): Html {
  return html`<bdi class="name">${name}</bdi>`;
}

function initial(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return first === undefined ? '' : first.segment.toLocaleUpperCase();
}
