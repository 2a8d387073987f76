import { element, texts } from './elements.ts';

/**
 * Clears the page for the next person on the device. What happened stays as a heading, without a name or a title,
 * and the link leaves the address bar: a reload shows nothing of the document.
 */
export function setUpFinish(): void {
  const button = document.getElementById('finish');
  button?.addEventListener('click', () => {
    const heading = document.createElement('h1');
    heading.tabIndex = -1;
    heading.textContent = element('outcome-heading').textContent;
    const sentence = document.createElement('p');
    sentence.textContent = texts().closedText;
    const article = document.createElement('article');
    article.className = 'paper notice-page';
    article.append(heading, sentence);

    for (const id of ['masthead', 'colophon']) document.getElementById(id)?.remove();
    element('page').replaceChildren(article);
    document.title = texts().closedTitle;
    history.replaceState(null, '', '/');
    heading.focus();
  });
}
