import { element, texts } from './elements.ts';
import { post } from './post.ts';

/**
 * Sets up `Finish`, which clears the page for the next person at the device. A heading without name or title remains. The
 * link leaves the address bar, so a reload shows nothing of the document, and an entered code no longer opens it.
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
    article.className = 'document-card notice-page';
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
