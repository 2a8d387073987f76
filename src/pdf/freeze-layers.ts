import { type PDF, PdfArray, PdfDict, PdfName, PdfRef } from '@libpdf/core';
import { resolverOf } from './page-tree.ts';

/**
 * Fixes every layer in the state that the recipients saw, for all readers, print, zoom levels and languages (ISO 32000-1,
 * 8.11.4). The recipients saw the pages rendered by PDFium. PDFium reads the state of a layer from its usage dictionary
 * and from the first alternative configuration for viewing. Most readers use the default configuration.
 */
export function freezeLayers(pdf: PDF): void {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const layers = pdf.context.catalog.getDict().getDict('OCProperties', resolve);
  const groups = [...(layers?.getArray('OCGs', resolve) ?? [])].filter((group) => group instanceof PdfRef);
  if (layers === undefined || groups.length === 0) return;
  const usual = layers.getDict('D', resolve) ?? new PdfDict();
  const viewing = configurationForViewing(pdf, layers) ?? usual;
  const hidden = groups.filter((group) => isHidden(pdf, group, viewing));
  usual.set('BaseState', PdfName.of('ON'));
  usual.set('OFF', new PdfArray(hidden));
  usual.set('Locked', new PdfArray(groups));
  for (const key of ['ON', 'AS', 'Intent']) usual.delete(key);
  layers.set('D', usual);
  layers.delete('Configs');
}

/** Whether the state of layers changes automatically, for example in print. */
export function hasAutomaticLayers(pdf: PDF): boolean {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const layers = pdf.context.catalog.getDict().getDict('OCProperties', resolve);
  return layers?.getDict('D', resolve)?.has('AS') ?? false;
}

function configurationForViewing(pdf: PDF, layers: PdfDict): PdfDict | undefined {
  const others = layers.getArray('Configs', (ref) => pdf.context.resolve(ref)) ?? [];
  return [...others]
    .map((item) => resolverOf(pdf)(item))
    .find((item) => item instanceof PdfDict && item.has('Intent') && isForViewing(pdf, item)) as PdfDict | undefined;
}

/** Whether PDFium hides a layer. Follows `CPDF_OCContext::LoadOCGState`. */
function isHidden(pdf: PDF, ref: PdfRef, configuration: PdfDict): boolean {
  const resolve = (to: PdfRef) => pdf.context.resolve(to);
  const group = resolve(ref);
  if (!(group instanceof PdfDict) || !isForViewing(pdf, group)) return false;
  const state = group.getDict('Usage', resolve)?.getDict('View', resolve)?.getName('ViewState', resolve)?.value;
  if (state !== undefined) return state === 'OFF';
  if (lists(configuration, 'OFF')) return true;
  return !lists(configuration, 'ON') && configuration.getName('BaseState', resolve)?.value === 'OFF';

  function lists(from: PdfDict, key: 'ON' | 'OFF'): boolean {
    const listed = from.getArray(key, resolve) ?? [];
    return [...listed].some((item) => item instanceof PdfRef && item.objectNumber === ref.objectNumber);
  }
}

function isForViewing(pdf: PDF, dict: PdfDict): boolean {
  const intent = dict.get('Intent', (ref) => pdf.context.resolve(ref)) ?? PdfName.of('View');
  const names = intent instanceof PdfArray ? [...intent].map((item) => resolverOf(pdf)(item)) : [intent];
  return names.some((name) => name instanceof PdfName && (name.value === 'View' || name.value === 'All'));
}
