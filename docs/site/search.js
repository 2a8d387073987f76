// Search of the documentation. It runs in the browser alone, also on pages opened from a disk.

const input = document.getElementById('search');
const results = document.getElementById('results');
const root = document.body.dataset.root;
const shownMax = 8;

const search = new MiniSearch({
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'address'],
  searchOptions: { boost: { title: 3, page: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
});
search.addAll(searchIndex);
input.hidden = false;

input.addEventListener('input', () => {
  const found = input.value.trim() === '' ? null : search.search(input.value).slice(0, shownMax);
  results.hidden = found === null;
  results.replaceChildren(...(found === null ? [] : found.length === 0 ? [text('p', 'No results')] : found.map(hit)));
});

/** Arrow keys move through the results. Escape closes them. */
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/^(input|textarea)$/i.test(document.activeElement.tagName)) {
    event.preventDefault();
    input.focus();
    return;
  }
  if (results.hidden || !input.parentElement.contains(document.activeElement)) return;
  const stops = [input, ...results.querySelectorAll('a')];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  }
  if (event.key === 'Escape') {
    input.value = '';
    results.hidden = true;
    input.focus();
  }
});

function hit({ title, page, address }) {
  const link = text('a', title);
  link.href = root + address;
  if (page !== title) link.append(text('span', page));
  return link;
}

function text(tag, content) {
  const element = document.createElement(tag);
  element.textContent = content;
  return element;
}
