import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef } from '@libpdf/core';
import { following } from './fill-pages.ts';
import type { TreePage } from './page-tree.ts';

/** Actions of a link that show another place or file, and leave the pages as they are. */
const harmless = new Set(['GoTo', 'GoToR', 'GoToE', 'URI', 'Named', 'Thread', 'Launch']);

/** Annotations that play something over their picture. */
const players = new Set(['Screen', 'Movie', 'Sound', '3D', 'RichMedia', 'Projection']);

/** Flags of annotations (ISO 32000-1, table 165). */
const flags = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 };

/** Levels of a form field above its annotation. */
const parentsMax = 32;

type Removal = () => void;

/**
 * What could show something else than the pages that were signed, each with a function that removes it: an XFA form, which some
 * readers show instead, form fields that each reader draws in its own way, a portfolio, scripts, and actions that run by
 * themselves or change what is shown. Does not look into bookmarks.
 */
export function activeParts(pdf: PDF, pages: readonly TreePage[]): Removal[] {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const catalog = pdf.context.catalog.getDict();
  const names = catalog.getDict('Names', resolve);
  const form = catalog.getDict('AcroForm', resolve);
  const redraws = form?.getBool('NeedAppearances', resolve)?.value === true;
  return [
    ...removals(catalog, ['AA', 'Collection', ...(isAction(pdf, catalog) ? ['OpenAction'] : [])]),
    ...removals(form, ['XFA', 'CO', ...(redraws ? ['NeedAppearances'] : [])]),
    ...removals(names, ['JavaScript', 'AlternatePresentations']),
    ...pages.flatMap(({ dict }) => [
      ...removals(dict, ['AA', 'PresSteps']),
      ...annotationsOf(pdf, dict).flatMap((annotation) => activeIn(pdf, annotation)),
    ]),
  ];
}

/** Makes the annotations of a page look the same in print as on the screen, where the recipients saw them. */
export function printAsShown(pdf: PDF, { dict }: TreePage): void {
  for (const annotation of annotationsOf(pdf, dict)) {
    const now = annotation.getNumber('F', (ref) => pdf.context.resolve(ref))?.value ?? 0;
    if ((now & flags.hidden) !== 0 || !annotation.has('AP') || subtypeOf(pdf, annotation) === 'Popup') continue;
    const never = flags.invisible | flags.noView | flags.toggleNoView;
    const wanted = (now & ~never & ~flags.print) | ((now & flags.noView) !== 0 ? flags.hidden : flags.print);
    if (wanted !== now) annotation.set('F', PdfNumber.of(wanted));
  }
}

/** A place in the file to begin with is no action, nor is an action that leads to one. */
function isAction(pdf: PDF, catalog: PdfDict): boolean {
  const opening = catalog.get('OpenAction', (ref) => pdf.context.resolve(ref));
  return opening instanceof PdfDict && !isHarmless(pdf, opening);
}

function removals(dict: PdfDict | undefined, keys: readonly string[]): Removal[] {
  return keys.flatMap((key) => (dict?.has(key) ? [() => void dict.delete(key)] : []));
}

function activeIn(pdf: PDF, annotation: PdfDict): Removal[] {
  const action = annotation.getDict('A', (ref) => pdf.context.resolve(ref));
  return [
    ...lineageOf(pdf, annotation).flatMap((dict) => removals(dict, ['AA'])),
    ...(action !== undefined && !isHarmless(pdf, action) ? removals(annotation, ['A']) : []),
    ...(players.has(subtypeOf(pdf, annotation)) ? [() => annotation.set('Subtype', PdfName.of('Stamp'))] : []),
  ];
}

/** An action without others behind it, which changes nothing that is shown. */
function isHarmless(pdf: PDF, action: PdfDict): boolean {
  const kind = action.getName('S', (ref) => pdf.context.resolve(ref))?.value ?? '';
  return harmless.has(kind) && !action.has('Next');
}

/** An annotation and the form fields above it. */
function lineageOf(pdf: PDF, annotation: PdfDict): PdfDict[] {
  const lineage = [annotation];
  while (lineage.length < parentsMax) {
    const parent = lineage.at(-1)?.getDict('Parent', (ref) => pdf.context.resolve(ref));
    if (parent === undefined || lineage.includes(parent)) break;
    lineage.push(parent);
  }
  return lineage;
}

function subtypeOf(pdf: PDF, annotation: PdfDict): string {
  return annotation.getName('Subtype', (ref) => pdf.context.resolve(ref))?.value ?? '';
}

function annotationsOf(pdf: PDF, page: PdfDict): PdfDict[] {
  const list = page.getArray('Annots', (ref) => pdf.context.resolve(ref)) ?? new PdfArray([]);
  return [...list].map((item) => following(pdf)(item)).filter((item) => item instanceof PdfDict);
}
