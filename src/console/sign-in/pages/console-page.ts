import { html } from '../../../http/html.ts';
import { renderPage } from '../../../http/page.ts';
import type { Language } from '../../../platform/language.ts';
import type { BuiltConsole } from '../../core/built-console.ts';
import { texts } from './texts.ts';

export type Theme = 'light' | 'dark';

/** Renders the HTML document in which the console's script runs. `theme` null: the system setting applies. */
export function renderConsolePage(
  language: Language,
  theme: Theme | null,
  { stylesheets, scripts, font }: BuiltConsole,
): string {
  return renderPage({
    language,
    theme,
    title: 'Countersign',
    icon: '/docs/icon.svg',
    fonts: [font],
    stylesheets,
    scripts,
    body: html`<body>
<div id="console"></div>
<noscript><p>${texts[language].consoleScriptNeeded}</p></noscript>
</body>`,
  });
}
