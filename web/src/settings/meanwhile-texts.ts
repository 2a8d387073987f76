import { inLanguage } from '../language.ts';

/** What a form of settings says when someone else has saved them meanwhile. */
export const meanwhileFailures: Record<string, string> = inLanguage(
  { changed_meanwhile: 'Someone else changed these settings. Copy what you need, then reload the page.' },
  { changed_meanwhile: 'Otra persona cambió estos ajustes. Copie lo que necesite y recargue la página.' },
);
