import type { PageText } from '../script-contract.ts';
import { element, fileTexts, texts } from './elements.ts';

/** Sets up the file's pages: shows the page number, loads the text with each image, and offers a retry after a failure. */
export function setUpSheets(): void {
  const sheets = [...document.querySelectorAll<HTMLElement>('.sheet')];
  for (const sheet of sheets) watchImage(sheet);
  showPlace(sheets);
}

function watchImage(sheet: HTMLElement): void {
  const image = imageOf(sheet);
  const arrived = () => {
    problemOf(sheet).hidden = true;
    void loadText(sheet);
  };
  image.addEventListener('load', arrived);
  image.addEventListener('error', () => showFailure(sheet));
  if (image.complete && image.naturalWidth > 0) arrived();
  else if (image.complete) loadAgain(image); // it failed before this script ran
}

function loadAgain(image: HTMLImageElement): void {
  const { srcset } = image;
  image.srcset = srcset;
}

function showFailure(sheet: HTMLElement): void {
  const problem = problemOf(sheet);
  const sentence = document.createElement('p');
  sentence.textContent = fileTexts().pageFailed;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button button-small';
  button.textContent = texts().tryAgain;
  const again = () => loadAgain(imageOf(sheet));
  button.addEventListener('click', again);
  addEventListener('online', again, { once: true });
  problem.replaceChildren(sentence, button);
  problem.hidden = false;
}

/** Loads a page's text once, when its image has loaded, for screen readers, search and selection. */
async function loadText(sheet: HTMLElement): Promise<void> {
  const layer = sheet.querySelector<HTMLElement>('.sheet-text');
  if (layer === null || layer.dataset.state) return;
  layer.dataset.state = 'loading';
  try {
    const response = await fetch(`${element('sheets').dataset.pages}/${sheet.dataset.page}/text`);
    if (!response.ok) throw new Error(`the text of page ${sheet.dataset.page} was refused`);
    showText(layer, (await response.json()) as PageText, imageOf(sheet));
    layer.dataset.state = 'loaded';
  } catch {
    layer.replaceChildren(hidden(fileTexts().textFailed));
    delete layer.dataset.state; // retried with the next image of the page, after zooming
  }
}

function showText(layer: HTMLElement, { lines }: PageText, image: HTMLImageElement): void {
  const width = Number(image.getAttribute('width'));
  const height = Number(image.getAttribute('height'));
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;
  layer.replaceChildren(
    ...lines.map((line) => {
      const paragraph = document.createElement('p');
      paragraph.textContent = line.text;
      paragraph.style.left = percent(line.x, width);
      paragraph.style.top = percent(line.y, height);
      paragraph.style.width = percent(line.width, width);
      paragraph.style.height = percent(line.height, height);
      paragraph.style.fontSize = `${(line.height / width) * 85}cqw`;
      return paragraph;
    }),
  );
  if (lines.length === 0) layer.append(hidden(fileTexts().pageWithoutText));
}

function hidden(sentence: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.className = 'visually-hidden';
  paragraph.textContent = sentence;
  return paragraph;
}

/** Shows the number of the page in the middle of the screen. */
function showPlace(sheets: readonly HTMLElement[]): void {
  const observer = new IntersectionObserver(
    (entries) => {
      const middle = entries.find(({ isIntersecting }) => isIntersecting)?.target as HTMLElement | undefined;
      if (middle === undefined) return;
      element('page-place').textContent = fileTexts()
        .pageOf.replace('{number}', middle.dataset.page ?? '')
        .replace('{total}', String(sheets.length));
    },
    { rootMargin: '-50% 0px -49% 0px' },
  );
  for (const sheet of sheets) observer.observe(sheet);
}

function imageOf(sheet: HTMLElement): HTMLImageElement {
  return sheet.querySelector('img') as HTMLImageElement;
}

function problemOf(sheet: HTMLElement): HTMLElement {
  return sheet.querySelector('.sheet-problem') as HTMLElement;
}

const levels = [1, 1.25, 1.5, 2, 3] as const;

/** Sets up the zoom buttons, for people who can't pinch. The browser's own zoom works too. */
export function setUpZoom(): void {
  const sheets = element('sheets');
  const zoomOut = element('zoom-out');
  const zoomIn = element('zoom-in');
  let level = 0;

  const zoomTo = (next: number) => {
    const factor = levels[next];
    if (factor === undefined) return;
    const restore = rememberMiddle(sheets);
    level = next;
    sheets.style.setProperty('--zoom', String(factor));
    // Only a region that scrolls must be reachable with the keyboard.
    if (level === 0) sheets.removeAttribute('tabindex');
    else sheets.tabIndex = 0;
    zoomOut.setAttribute('aria-disabled', String(next === 0));
    zoomIn.setAttribute('aria-disabled', String(next === levels.length - 1));
    element('zoom-level').textContent = new Intl.NumberFormat(document.documentElement.lang, {
      style: 'percent',
    }).format(factor);
    restore();
    askForSharperImages(sheets);
  };
  zoomOut.addEventListener('click', () => zoomTo(level - 1));
  zoomIn.addEventListener('click', () => zoomTo(level + 1));
}

/** Returns a function that scrolls the middle of the screen back to the middle after zooming. */
function rememberMiddle(sheets: HTMLElement): () => void {
  const middle = innerHeight / 2;
  const all = [...sheets.querySelectorAll<HTMLElement>('.sheet')];
  const sheet = all.find((one) => one.getBoundingClientRect().bottom > middle) ?? all.at(-1);
  const before = sheet?.getBoundingClientRect();
  if (sheet === undefined || before === undefined) return () => {};
  const part = (middle - before.top) / before.height;
  const across = (sheets.scrollLeft + sheets.clientWidth / 2) / sheets.scrollWidth;
  return () => {
    const after = sheet.getBoundingClientRect();
    scrollBy({ top: after.top + part * after.height - middle, behavior: 'instant' });
    sheets.scrollLeft = across * sheets.scrollWidth - sheets.clientWidth / 2;
  };
}

/** Updates `sizes`, by which the browser chooses an image. */
function askForSharperImages(sheets: HTMLElement): void {
  for (const image of sheets.querySelectorAll('img')) image.sizes = `${Math.round(image.clientWidth)}px`;
}
