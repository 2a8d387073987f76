import { isPreview } from './elements.ts';

/** Disables links in a preview. The pages behind them aren't part of it. */
export function stayInPreview(): void {
  if (!isPreview()) return;
  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a[href]:not([href^="#"])')) event.preventDefault();
  });
}
