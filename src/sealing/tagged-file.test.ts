import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfString } from '@libpdf/core';
import { expect, test } from 'vitest';
import { drawPdf } from './completion/draw-pdf.ts';
import { inputFor, sampleFile } from './testing/sample-files.ts';
import { sampleInput } from './testing/sample-input.ts';
import { sealHere } from './testing/seal-here.ts';
import { inspect } from './testing/tools.ts';

test('the certificate of a tagged file is tagged behind what the file has, however its numbers are stored', async () => {
  for (const [what, change] of Object.entries({
    'as one list': () => {},
    'in leaves': inLeaves,
    'without the next number': ({ tree }: Tree) => tree.delete('ParentTreeNextKey'),
    'with a next number that is taken': ({ tree }: Tree) => tree.set('ParentTreeNextKey', PdfNumber.of(0)),
    'with a page whose number the tree lacks': ({ pdf }: Tree) =>
      pdf.getPages()[0]?.dict.set('StructParents', PdfNumber.of(7)),
    'with a list of parts': ({ tree }: Tree) =>
      tree.set('K', new PdfArray([tree.get('K')].filter((kid) => kid !== undefined))),
  })) {
    const file = await taggedFile(change);
    const pageCount = pagesOf(file);
    const sealed = await sealHere(inputFor(file, pageCount, [{ value: 'Blue door' }]), file);
    const [before, after] = [structureOf(file), structureOf(sealed)];
    // What the file has is read first, and as before.
    expect([what, after.slice(0, before.length)]).toEqual([what, before]);
    expect([what, after.slice(before.length)]).toEqual([
      what,
      expect.stringMatching(/^Document\n {2}Sect\n(?: .*\n)+$/),
    ]);
    expect([what, inspect(sealed, 'pdfsig')]).toEqual([what, expect.stringContaining('Signature is Valid')]);
    expect([what, inspect(sealed, 'qpdf', ['--check'])]).toEqual([what, expect.not.stringContaining('WARNING')]);
    const numbers = await pageNumbers(sealed);
    expect([what, new Set(numbers).size, numbers.length]).toEqual([what, numbers.length, pagesOf(sealed)]);
  }
});

test('the texts of the parts are found behind those of the file', async () => {
  for (const change of [() => {}, inLeaves]) {
    const file = await taggedFile(change);
    const input = inputFor(file, pagesOf(file), []);
    const sealed = await sealHere({ ...input, audit: input.audit.slice(0, 2) }, file);
    const texts = inspect(sealed, 'pdfinfo', ['-struct-text']);
    const [own, added] = texts.split(/(?<=\n)(?=Document\n)/);
    expect(own).toContain('"Kitchen remodel, 12 Alder Street"');
    expect(added).toContain('"Certificate of completion"');
  }
});

test('a file without structure, or with one that is damaged, is sealed with a certificate that has none', async () => {
  const files: Array<[what: string, file: Buffer]> = [['none', await sampleFile(1)]];
  for (const [what, change] of Object.entries({
    'not marked': ({ catalog }: Tree) => catalog.delete('MarkInfo'),
    'no numbers': ({ tree }: Tree) => tree.delete('ParentTree'),
    'numbers that are none': ({ tree }: Tree) =>
      tree.set('ParentTree', PdfDict.of({ Nums: new PdfArray([PdfString.fromString('0'), new PdfArray([])]) })),
    'leaves without limits': ({ tree }: Tree) =>
      tree.set('ParentTree', PdfDict.of({ Kids: new PdfArray([new PdfDict()]) })),
    'a number beyond all': ({ tree }: Tree) => tree.set('ParentTreeNextKey', PdfNumber.of(2 ** 31 - 1)),
    'numbers without the last part': ({ tree, pdf }: Tree) => {
      const pairs = [...(dictAt(pdf, tree, 'ParentTree').getArray('Nums') ?? [])];
      tree.set('ParentTree', PdfDict.of({ Nums: new PdfArray(pairs.slice(0, -1)) }));
    },
    'parts that are none': ({ tree }: Tree) => tree.set('K', PdfNumber.of(1)),
    'another meaning of a type': ({ tree }: Tree) => tree.set('RoleMap', PdfDict.of({ H1: PdfName.of('P') })),
    'a name that libpdf would change': ({ tree }: Tree) =>
      tree.set('RoleMap', PdfDict.of({ '\u00dcberschrift': PdfName.of('H1') })),
    'a reference far away': ({ tree }: Tree) => tree.set('ParentTree', PdfRef.of(99_999_999, 0)),
    'no tree': ({ catalog }: Tree) => catalog.set('StructTreeRoot', PdfNumber.of(1)),
  }))
    files.push([what, await taggedFile(change)]);
  for (const [what, file] of files) {
    const sealed = await sealHere(inputFor(file, pagesOf(file), []), file);
    expect([what, structureOf(sealed)]).toEqual([what, structureOf(file)]);
    expect([what, inspect(sealed, 'pdfsig')]).toEqual([what, expect.stringContaining('Signature is Valid')]);
  }
});

interface Tree {
  pdf: PDF;
  catalog: PdfDict;
  tree: PdfDict;
}

const sample = sampleInput();
const drawn = drawPdf({ ...sample, audit: sample.audit.slice(0, 2) });

/** Makes a tagged PDF, and changes its structure. */
async function taggedFile(change: (tree: Tree) => void): Promise<Buffer> {
  const pdf = await PDF.load(await drawn);
  const catalog = pdf.context.catalog.getDict();
  change({ pdf, catalog, tree: dictAt(pdf, catalog, 'StructTreeRoot') });
  return Buffer.from(await pdf.save());
}

/** Stores each number in a leaf of its own. */
function inLeaves({ pdf, tree }: Tree): void {
  const pairs = [...(dictAt(pdf, tree, 'ParentTree').getArray('Nums') ?? [])];
  const leaves: PdfObject[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const [number, content] = pairs.slice(at, at + 2) as [PdfNumber, PdfObject];
    const leaf = { Limits: new PdfArray([number, number]), Nums: new PdfArray([number, content]) };
    leaves.push(pdf.register(PdfDict.of(leaf)));
  }
  tree.set('ParentTree', pdf.register(PdfDict.of({ Kids: new PdfArray(leaves) })));
}

function dictAt(pdf: PDF, dict: PdfDict, key: string): PdfDict {
  const found = dict.getDict(key, (ref) => pdf.context.resolve(ref));
  if (found === undefined) throw new Error(`${key} is missing`);
  return found;
}

/** Returns the numbers of the pages that have marked content, in order. */
async function pageNumbers(file: Buffer): Promise<number[]> {
  const pdf = await PDF.load(file);
  return pdf.getPages().flatMap(({ dict }) => dict.getNumber('StructParents')?.value ?? []);
}

/** Returns the structure as poppler reads it. It takes seconds to add the texts. */
function structureOf(file: Buffer): string {
  return inspect(file, 'pdfinfo', ['-struct']);
}

function pagesOf(file: Buffer): number {
  return Number(/^Pages:\s+(\d+)$/m.exec(inspect(file, 'pdfinfo'))?.[1]);
}
