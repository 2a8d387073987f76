import { isPreview } from './elements.ts';

/** In a preview links are seen, and lead nowhere: the pages behind them are no part of it. */
export function stayInPreview(): void {
  if (!isPreview()) return;
  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a[href]:not([href^="#"])')) event.preventDefault();
  });
}
