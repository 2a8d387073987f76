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
    const response = await fetch(`${element('page').dataset.address}/pages/${sheet.dataset.page}/text`);
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
