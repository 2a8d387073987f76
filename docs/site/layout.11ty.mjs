import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, rootOf } from './eleventy.config.mjs';
import { navigation } from './navigation.ts';
import { virtualPages } from './virtual-pages.ts';

const docs = join(import.meta.dirname, '..');
const titles = new Map(navigation.flatMap(({ pages }) => pages).map((page) => [page, titleOf(page)]));
const inOrder = [...titles.keys()];

/** The frame of every page: navigation, search, and links to the pages before and after. */
export function render({ content, page }) {
  const own = page.inputPath.replace(/^\.\/docs\//, '');
  const root = rootOf(own);
  const position = inOrder.indexOf(own);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titles.get(own)} · Countersign</title>
<link rel="icon" href="${root}icon.svg">
<link rel="stylesheet" href="${root}style.css">
<link rel="stylesheet" href="${root}site.css">
<script src="${root}minisearch.js" defer></script>
<script src="${root}search-index.js" defer></script>
<script src="${root}search.js" defer></script>
</head>
<body class="site" data-root="${root}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${root}index.html"><img src="${root}icon.svg" alt="" width="28" height="28"> Countersign</a>
<search>
<input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" aria-controls="results" hidden>
<div id="results" role="status" hidden></div>
</search>
<a class="menu" href="#menu">Menu</a>
</header>
<main id="content">
${content}
<nav class="pager" aria-label="Previous and next page">${link('prev', inOrder[position - 1], root)}${link('next', inOrder[position + 1], root)}</nav>
</main>
<nav class="contents" id="menu" aria-label="Documentation">
<ul>
${navigation.map((group) => groupItem(group, own, root)).join('')}<li><a href="${root}reference.html">API reference</a></li>
</ul>
</nav>
</body>
</html>
`;
}

function groupItem({ title, pages }, own, root) {
  const items = pages.map((page) => {
    const current = page === own ? ' aria-current="page"' : '';
    return `<li><a href="${root}${addressOf(page)}"${current}>${titles.get(page)}</a></li>`;
  });
  return `<li><span>${title}</span><ul>${items.join('')}</ul></li>\n`;
}

function link(rel, page, root) {
  if (page === undefined) return '';
  return `<a rel="${rel}" href="${root}${addressOf(page)}">${titles.get(page)}</a>`;
}

function titleOf(page) {
  const text = virtualPages[page] ?? readFileSync(join(docs, page), 'utf8');
  return /^# (.+)$/m.exec(text)[1].replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
