import { type Html, html } from '../../http/html.ts';
import { type PageLanguage, pageLanguages, texts } from '../../page-texts/texts.ts';
import type { Language } from '../../platform/language.ts';

/** How the menu acts: with links, or with buttons of a form, so that what was entered into it is shown again. */
export type MenuForm = { id: string; defaultAction: string | null };

/** Renders the menu of languages, which needs no script. `form`: the form of the page that has the entries, or null. */
export function languageMenu(current: PageLanguage, form: MenuForm | null): Html {
  const item = (language: PageLanguage) => {
    const attributes = html`lang="${language}"${language === current && html` aria-current="true"`}`;
    return form === null
      ? html`<a href="?language=${language}" hreflang="${language}" ${attributes}>${texts[language].name}</a>`
      : html`<button type="submit" form="${form.id}" name="action" value="language-${language}" formnovalidate ${attributes}>${texts[language].name}</button>`;
  };
  return html`${form && defaultButton(form)}<details class="languages" id="languages">
<summary><span class="visually-hidden">${texts[current].language}: </span>${texts[current].name}</summary>
<ul role="list">
${pageLanguages.map((language) => html`<li>${item(language)}</li>\n`)}</ul>
</details>
`;
}

/** Enter in a text box chooses the first button of its form, which must not be one of the menu. */
function defaultButton({ id, defaultAction }: MenuForm): Html {
  return defaultAction === null
    ? html`<button type="submit" form="${id}" disabled hidden></button>`
    : html`<button type="submit" form="${id}" name="action" value="${defaultAction}" hidden></button>`;
}

/** Renders the `lang` of a text in the document's language, if the page has another one. */
export function langOf({
  language,
  documentLanguage,
}: {
  language: PageLanguage;
  documentLanguage: Language;
}): Html | null {
  return language === documentLanguage ? null : html` lang="${documentLanguage}"`;
}
