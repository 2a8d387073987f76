import { element, texts } from './elements.ts';
import { post } from './post.ts';

/**
 * Clears the page for the next person on the device. What happened stays as a heading, without a name or a title,
 * and the link leaves the address bar: a reload shows nothing of the document. A code that was given opens no more.
 */
export function setUpFinish(): void {
  const button = document.getElementById('finish');
  const isVerified = 'verified' in element('page').dataset;
  const isInPerson = 'inPerson' in element('page').dataset;
  button?.addEventListener('click', () => {
    if (isVerified) void post('finish', {});
    const heading = document.createElement('h1');
    heading.tabIndex = -1;
    heading.textContent = element('outcome-heading').textContent;
    const sentence = document.createElement('p');
    sentence.textContent = isInPerson ? texts().handBackText : texts().closedText;
    const article = document.createElement('article');
    article.className = 'paper notice-page';
    const brand = document.createElement('p');
    brand.className = 'notice-brand';
    brand.textContent = 'Countersign';
    article.append(brand, heading, sentence);

    for (const id of ['masthead', 'colophon']) document.getElementById(id)?.remove();
    element('page').replaceChildren(article);
    document.title = texts().closedTitle;
    history.replaceState(null, '', '/sign/finished');
    heading.focus();
  });
}
