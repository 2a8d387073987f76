import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef } from '@libpdf/core';
import { annotationFlags as flags } from '../../pdf/annotation-flags.ts';
import { annotationsOf, flagsOf, isDrawnPopup, shownState, subtypeOf } from '../../pdf/annotations.ts';
import { resolverOf, type TreePage } from '../../pdf/page-tree.ts';
import { isHarmlessAction, isHarmlessAddress, isPlace } from './harmless-action.ts';
import { walkDictionaries } from './walk-dictionaries.ts';

/** Annotation types that play media over their appearance. */
const players = new Set(['Screen', 'Movie', 'Sound', '3D', 'RichMedia', 'Projection']);

type Removal = () => void;

/**
 * Finds the parts of a PDF that could show something other than the signed pages. Returns one function per part, which
 * removes it. Active parts are XFA forms, `NeedAppearances`, portfolios, scripts, and actions of pages, annotations, form
 * fields and bookmarks, and appearances of pop-ups. Links to a place in the file or to a web address are kept.
 */
export function activeParts(pdf: PDF, pages: readonly TreePage[]): Removal[] {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const catalog = pdf.context.catalog.getDict();
  const names = catalog.getDict('Names', resolve);
  const form = catalog.getDict('AcroForm', resolve);
  const redraws = form?.getBool('NeedAppearances', resolve)?.value === true;
  const opening = catalog.get('OpenAction', resolve);
  return [
    ...removals(catalog, ['AA', 'Collection', 'Requirements', ...(hasHarmlessBase(pdf, catalog) ? [] : ['URI'])]),
    ...(isPlace(opening) || isHarmlessAction(pdf, opening) ? [] : removals(catalog, ['OpenAction'])),
    ...removals(form, ['XFA', 'CO', ...(redraws ? ['NeedAppearances'] : [])]),
    ...removals(names, ['JavaScript', 'AlternatePresentations']),
    ...pages.flatMap(({ dict }) => [
      ...removals(dict, ['AA', 'PresSteps']),
      ...annotationsOf(pdf, dict).flatMap((annotation) => activeIn(pdf, annotation)),
    ]),
    ...walkDictionaries(pdf, form, ['Fields', 'Kids']).flatMap((field) => actionsOf(pdf, field)),
    ...walkDictionaries(pdf, catalog.getDict('Outlines', resolve), ['First', 'Next', 'Last', 'Prev', 'Parent']).flatMap(
      (bookmark) => actionsOf(pdf, bookmark),
    ),
    ...namedPlaces(pdf, catalog, names),
  ];
}

/**
 * Makes the annotations of a page print exactly as they show on screen, where the recipients saw them. PDFium shows annotations
 * of hidden layers, so they leave their layers. Boxes without a state get the one that PDFium shows. Annotations without an appearance are
 * included, because many viewers draw them. Links are drawn by their appearance only.
 */
export function printAsShown(pdf: PDF, { dict }: TreePage): void {
  for (const annotation of annotationsOf(pdf, dict)) {
    keepDecimals(annotation);
    const now = flagsOf(pdf, annotation);
    const type = subtypeOf(pdf, annotation);
    if ((now & flags.hidden) !== 0 || type === 'Popup' || (type === 'Link' && !annotation.has('AP'))) continue;
    const never = flags.invisible | flags.noView | flags.toggleNoView;
    const wanted = (now & ~never & ~flags.print) | ((now & flags.noView) !== 0 ? flags.hidden : flags.print);
    if (wanted !== now) annotation.set('F', PdfNumber.of(wanted));
    annotation.delete('OC');
    const state = annotation.has('AS') ? null : shownState(pdf, annotation);
    if (state !== null) annotation.set('AS', PdfName.of(state));
  }
}

/** Checks the base address of relative links (ISO 32000-1, table 207). */
function hasHarmlessBase(pdf: PDF, catalog: PdfDict): boolean {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const base = catalog.getDict('URI', resolve)?.get('Base', resolve);
  return !catalog.has('URI') || isHarmlessAddress(base);
}

/** Removes the actions of named destinations. A destination may be a dictionary, of which only `/D` is needed. */
function namedPlaces(pdf: PDF, catalog: PdfDict, names: PdfDict | undefined): Removal[] {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const old = catalog.getDict('Dests', resolve);
  const lists = walkDictionaries(pdf, names?.getDict('Dests', resolve), ['Kids']).map((node) =>
    node.getArray('Names', resolve),
  );
  const places = [...[...(old ?? [])].map(([, value]) => value), ...lists.flatMap((list) => [...(list ?? [])])];
  return places
    .map((place) => resolverOf(pdf)(place))
    .flatMap((place) => (place instanceof PdfDict ? removals(place, ['S', 'A', 'AA', 'Next', 'JS']) : []));
}

function removals(dict: PdfDict | undefined, keys: readonly string[]): Removal[] {
  return keys.flatMap((key) => (dict?.has(key) ? [() => void dict.delete(key)] : []));
}

/** Keeps 12 decimals of each coordinate. libpdf writes 5, which could move a rewritten annotation by a pixel. */
function keepDecimals(dict: PdfDict): void {
  for (const [, value] of dict) {
    for (const number of value instanceof PdfArray ? value : []) {
      if (!(number instanceof PdfNumber) || Number.isInteger(number.value)) continue;
      const text = number.value.toFixed(12).replace(/\.?0+$/, '');
      number.toBytes = (writer) => writer.writeAscii(text);
    }
  }
}

function activeIn(pdf: PDF, annotation: PdfDict): Removal[] {
  return [
    ...walkDictionaries(pdf, annotation, ['Parent']).flatMap((dict) => actionsOf(pdf, dict)),
    ...(players.has(subtypeOf(pdf, annotation)) ? [() => annotation.set('Subtype', PdfName.of('Stamp'))] : []),
    ...(isDrawnPopup(pdf, annotation) ? removals(annotation, ['AP']) : []),
  ];
}

/** Finds the actions of an annotation, a form field or a bookmark. `/PA` is the previous action of a link. */
function actionsOf(pdf: PDF, dict: PdfDict): Removal[] {
  const entry = (key: string) => dict.get(key, (ref) => pdf.context.resolve(ref));
  const harmful = ['A', 'PA'].filter((key) => !isHarmlessAction(pdf, entry(key)));
  return removals(dict, ['AA', ...harmful, ...(isPlace(entry('Dest')) ? [] : ['Dest'])]);
}
