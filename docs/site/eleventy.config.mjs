import { dirname, join, normalize } from 'node:path';
import hljs from 'highlight.js/lib/common';
import { chart } from './chart.ts';
import { navigation } from './navigation.ts';
import { pagesElsewhere, virtualPages } from './virtual-pages.ts';

const pages = navigation.flatMap(({ pages }) => pages);

/** Builds the Markdown files of the navigation into static pages that need no server. All links are relative. */
export default function configure(eleventy) {
  eleventy.setUseGitIgnore(false);
  eleventy.ignores.add('docs/site/**');
  for (const [page, text] of Object.entries(virtualPages)) eleventy.addTemplate(page, text);
  eleventy.addGlobalData('layout', 'layout.11ty.mjs');
  eleventy.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        addressOf(pageOf(page)) ?? false,
  );
  eleventy.addPassthroughCopy({ 'docs/verify/*.py': 'verify' });
  eleventy.addPreprocessor('only pages of the site', 'md', ({ page }) =>
    pages.includes(pageOf(page)) ? undefined : false,
  );
  eleventy.amendLibrary('md', (markdown) => {
    markdown.set({ highlight });
    markdown.core.ruler.push('links of the site', ({ tokens, env }) => rewriteLinks(tokens, pageOf(env.page)));
    markdown.core.ruler.push('ids of headings', ({ tokens }) => addIds(tokens));
    const { fence } = markdown.renderer.rules;
    // Wide code scrolls, also by keyboard.
    markdown.renderer.rules.fence = (tokens, index, ...rest) =>
      tokens[index].info === 'chart'
        ? chart(tokens[index].content)
        : fence(tokens, index, ...rest).replace('<pre>', '<pre tabindex="0">');
    // A heading without text is none.
    markdown.renderer.rules.th_open = (tokens, index) => (tokens[index + 1].content === '' ? '<td>' : '<th>');
    markdown.renderer.rules.table_open = () => '<div class="table"><table>\n';
    markdown.renderer.rules.table_close = () => '</table></div>\n';
  });
  return {
    markdownTemplateEngine: false,
    dir: { input: 'docs', includes: 'site' },
  };
}

/** `./docs/guides/send.md` → `guides/send.md` */
function pageOf({ inputPath }) {
  return inputPath.replace(/^\.\/docs\//, '');
}

/** Returns the address of a page below the site, or null for a file that isn't on it. */
export function addressOf(page) {
  if (!pages.includes(page)) return null;
  return page === 'README.md' ? 'index.html' : page.replace(/\.md$/, '.html');
}

function highlight(code, language) {
  if (hljs.getLanguage(language) === undefined) return '';
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

/** Gives headings the ids that GitHub gives them, so that a link works in the repository and on the site. */
function addIds(tokens) {
  const taken = new Map();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = tokens[index + 1].children.map(({ content }) => content).join('');
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const count = taken.get(slug) ?? 0;
    taken.set(slug, count + 1);
    token.attrSet('id', count === 0 ? slug : `${slug}-${count}`);
  }
}

/** Points links at the built pages. A link to a file that is in the repository only becomes plain text. */
function rewriteLinks(tokens, from) {
  for (const { children } of tokens) {
    const removed = [];
    for (const token of children ?? []) {
      if (token.type === 'link_close') {
        if (removed.pop()) token.hidden = true;
      }
      if (token.type !== 'link_open') continue;
      const href = siteHref(token.attrGet('href'), from);
      removed.push(href === null);
      if (href === null) token.hidden = true;
      else token.attrSet('href', href);
    }
    if (children !== null) {
      for (const [index, token] of children.entries()) {
        if (token.hidden) children[index] = Object.assign(token, { type: 'text', content: '' });
      }
    }
  }
}

function siteHref(href, from) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path, fragment] = href.split('#');
  const target = normalize(join(dirname(sourceOf(from)), path));
  const isCopied = target.startsWith('screenshots/') || /^verify\/.*\.py$/.test(target);
  const elsewhere = Object.keys(pagesElsewhere).find((page) => sourceOf(page) === target);
  const address = isCopied ? target : addressOf(elsewhere ?? target);
  if (address === null) return null;
  return `${rootOf(from)}${address}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** The path below `docs/` of the file that a page is made from: `clients/react.md` → `../packages/react/README.md`. */
function sourceOf(page) {
  return Object.hasOwn(pagesElsewhere, page) ? `../${pagesElsewhere[page]}` : page;
}

/** The way from a page to the root of the site: '' or '../'. */
export function rootOf(page) {
  return '../'.repeat(page.split('/').length - 1);
}
