import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef } from '@libpdf/core';
import { following } from './fill-pages.ts';
import { isHarmlessAction, isHarmlessAddress, isPlace } from './harmless-action.ts';
import type { TreePage } from './page-tree.ts';
import { walkDictionaries } from './walk-dictionaries.ts';

/** Annotations that play something over their picture. */
const players = new Set(['Screen', 'Movie', 'Sound', '3D', 'RichMedia', 'Projection']);

/** Flags of annotations (ISO 32000-1, table 165). */
const flags = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 };

type Removal = () => void;

/**
 * Finds what could show something else than the pages that were signed, each as a function that removes it: an XFA form, which
 * some readers show instead, form fields that each reader draws in its own way, a portfolio, scripts, and actions of pages,
 * annotations, form fields and bookmarks, except for links to a place in the file or on the web.
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

/** Makes the annotations of a page look the same in print as on the screen, where the recipients saw them, and stay in place. */
export function printAsShown(pdf: PDF, { dict }: TreePage): void {
  for (const annotation of annotationsOf(pdf, dict)) {
    keepDecimals(annotation);
    const now = annotation.getNumber('F', (ref) => pdf.context.resolve(ref))?.value ?? 0;
    if ((now & flags.hidden) !== 0 || !annotation.has('AP') || subtypeOf(pdf, annotation) === 'Popup') continue;
    const never = flags.invisible | flags.noView | flags.toggleNoView;
    const wanted = (now & ~never & ~flags.print) | ((now & flags.noView) !== 0 ? flags.hidden : flags.print);
    if (wanted !== now) annotation.set('F', PdfNumber.of(wanted));
  }
}

/** The address that the addresses of links continue (ISO 32000-1, table 207). */
function hasHarmlessBase(pdf: PDF, catalog: PdfDict): boolean {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const base = catalog.getDict('URI', resolve)?.get('Base', resolve);
  return !catalog.has('URI') || isHarmlessAddress(base);
}

/** A named place may be a dictionary with the place as its `/D`. It needs nothing else. */
function namedPlaces(pdf: PDF, catalog: PdfDict, names: PdfDict | undefined): Removal[] {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const old = catalog.getDict('Dests', resolve);
  const lists = walkDictionaries(pdf, names?.getDict('Dests', resolve), ['Kids']).map((node) =>
    node.getArray('Names', resolve),
  );
  const places = [...[...(old ?? [])].map(([, value]) => value), ...lists.flatMap((list) => [...(list ?? [])])];
  return places
    .map((place) => following(pdf)(place))
    .flatMap((place) => (place instanceof PdfDict ? removals(place, ['S', 'A', 'AA', 'Next', 'JS']) : []));
}

function removals(dict: PdfDict | undefined, keys: readonly string[]): Removal[] {
  return keys.flatMap((key) => (dict?.has(key) ? [() => void dict.delete(key)] : []));
}

/** libpdf writes 5 decimals, so that the place of an annotation that is written again could change by a pixel. */
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
  ];
}

/** The actions of an annotation, a form field or a bookmark. `/PA` is the one that a link had before. */
function actionsOf(pdf: PDF, dict: PdfDict): Removal[] {
  const entry = (key: string) => dict.get(key, (ref) => pdf.context.resolve(ref));
  const harmful = ['A', 'PA'].filter((key) => !isHarmlessAction(pdf, entry(key)));
  return removals(dict, ['AA', ...harmful, ...(isPlace(entry('Dest')) ? [] : ['Dest'])]);
}

function subtypeOf(pdf: PDF, annotation: PdfDict): string {
  return annotation.getName('Subtype', (ref) => pdf.context.resolve(ref))?.value ?? '';
}

function annotationsOf(pdf: PDF, page: PdfDict): PdfDict[] {
  const list = page.getArray('Annots', (ref) => pdf.context.resolve(ref)) ?? new PdfArray([]);
  return [...list].map((item) => following(pdf)(item)).filter((item) => item instanceof PdfDict);
}
