import { expect, test } from 'vitest';
import { pageLanguages } from '../../page-texts/texts.ts';
import {
  renderErrorPage,
  renderFinishedPage,
  renderLockedPage,
  renderReassignedLinkPage,
  renderSigningPage,
  renderUnknownLinkPage,
} from './signing-page.ts';
import {
  hostileView,
  lockedStates,
  noPageBrand,
  sampleFile,
  sampleLockedView,
  sampleView,
  states,
} from './testing/sample-views.ts';

const count = (text: string, part: string) => text.split(part).length - 1;

test('each state in each language has one h1, a language, and no inline script, style or handler', () => {
  for (const language of pageLanguages) {
    const pages = [
      ...Object.values(states).map((state) => renderSigningPage(sampleView({ language, state }))),
      ...Object.values(lockedStates).map((state) => renderLockedPage(sampleLockedView({ language, state }))),
    ];
    for (const page of pages) {
      expect(count(page, '<h1')).toBe(1);
      expect(page).toContain(`<html lang="${language}">`);
      expect(page).not.toMatch(/<style|\sstyle="|\son\w+="|javascript:|undefined|\[object/);
      expect(page.match(/<script(?![^>]*( src=| type="application\/json"))/)).toBeNull();
    }
  }
});

test('a locked page has a form only where a code opens something', () => {
  for (const [name, state] of Object.entries(lockedStates)) {
    const page = renderLockedPage(sampleLockedView({ state }));
    expect(page.includes('<form'), name).toBe(state.kind === 'needs_code');
  }
});

test('the number is told by its end, and not at all when it has none', () => {
  expect(renderLockedPage(sampleLockedView())).toContain('ending in 42');
  const unknown = renderLockedPage(sampleLockedView({ code: { phoneEnding: '', isShown: false } }));
  expect(unknown).toContain('The code goes to the phone number that the sender gave.');
});

test('only the open state has a form', () => {
  for (const [name, state] of Object.entries(states)) {
    expect(renderSigningPage(sampleView({ state })).includes('<form'), name).toBe(name === 'open');
  }
});

test('a reason for declining is not shown to anybody else', () => {
  const state = { kind: 'declined', at: new Date(0), bySelf: false, reason: 'only between us' } as const;
  expect(renderSigningPage(sampleView({ state }))).not.toContain('only between us');
});

test('a page has the words for too many pictures, also without a field for a file', () => {
  for (const file of [null, sampleFile()]) {
    expect(renderSigningPage(sampleView({ file }))).toContain('"too_many_uploads":"You have sent too many files.');
  }
});

test('hostile text stays text', () => {
  const page = renderSigningPage(hostileView());
  const { language, address, accountName, document } = hostileView();
  const locked = renderLockedPage(sampleLockedView({ language, address, accountName, title: document.title }));
  for (const hostile of [page, locked]) {
    expect(hostile).not.toContain('<script>');
    expect(hostile).not.toContain('<img');
    expect(count(hostile, '</title>')).toBe(1);
    expect(count(hostile, '</main>')).toBe(1);
  }
});

test('the words for the service, approver and cc, are not shown as roles', () => {
  const page = renderSigningPage(sampleView());
  expect(page).not.toMatch(/>(approver|cc)</);
  expect(page).toContain('Contractor');
});

test('a moment is served in UTC with its zone', () => {
  expect(renderSigningPage(sampleView())).toMatch(
    /datetime="2026-03-20T15:20:00.000Z"[^>]*>March 20, 2026 at 3:20\sPM UTC</,
  );
  expect(renderSigningPage(sampleView({ language: 'es' }))).toMatch(/>20 de marzo de 2026 a las 15:20 UTC</);
});

test('a wrong link and an unreachable service say what to do next, and need no script', () => {
  for (const page of [
    renderUnknownLinkPage('en'),
    renderUnknownLinkPage('es'),
    renderReassignedLinkPage('en', 'Acme', noPageBrand),
    renderReassignedLinkPage('es', 'Acme', noPageBrand),
    renderErrorPage('en'),
    renderErrorPage('es'),
    renderFinishedPage('en'),
    renderFinishedPage('es'),
  ]) {
    expect(count(page, '<h1')).toBe(1);
    expect(page).not.toContain('<script');
  }
  expect(renderUnknownLinkPage('en')).toContain('ask the sender');
  expect(renderReassignedLinkPage('en', '<b>Acme & Co', noPageBrand)).toContain(
    'contact <bdi class="name">&lt;b&gt;Acme &amp; Co</bdi>',
  );
  expect(renderErrorPage('es')).toContain('Intentar de nuevo');
});
