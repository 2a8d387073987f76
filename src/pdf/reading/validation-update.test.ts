import { expect, test } from 'vitest';
import { field, grown, objects, stamp, stamping, updated } from '../strict/testing/stamped-pdf.ts';
import { drawing, type Objects, plainPdf, updatedPdf } from '../strict/testing/updated-pdf.ts';
import { readValidationUpdate } from './validation-update.ts';

const plain = plainPdf(objects);
const streams = plainPdf(objects, { held: [1, 2, 3, 6, 7] });
const read = (file: Buffer, sealed = plain) => readValidationUpdate(file, sealed.length);

test.each([
  ['in a table', plain],
  ['in streams', streams],
])('a time-stamp in an invisible field is read: %s', (_, sealed) => {
  const file = updated(sealed, stamping);
  expect(read(file, sealed)).toMatchObject({ bytes: file.length - sealed.length, stamps: [{ isExact: true }] });
});

test('several updates are read in order, each time-stamp over what was there before it', () => {
  const first = updated(plain, stamping);
  const store = { 9: '<< /Certs [10 0 R 600 0 R] >>', 600: drawing('', 'another certificate') };
  const second = updatedPdf(first, store);
  const third = updated(second, { 6: grown('500 0 R 700 0 R'), 700: field().replace('501', '701'), 701: stamp });
  const stamps = read(third)?.stamps.map(({ range }) => range[2] + range[3]);
  expect(stamps).toEqual([first.length, third.length]);
  expect(read(second)?.stamps).toHaveLength(1);
});

const accepted: Array<[string, Objects]> = [
  ['a first document security store', { 1: objects[1]?.replace('9 0 R', '500 0 R') ?? '', 500: '<< >>' }],
  ['a larger store in the same object', { 9: '<< /Certs [10 0 R 500 0 R] >>', 500: drawing('', 'a certificate') }],
  ['a certificate of the store in another form', { 10: drawing('', 'the same certificate') }],
  ['the widget on its page, in its list', { ...stamping, 5: '[7 0 R 500 0 R]' }],
  ['a field with an empty appearance', { ...stamping, 500: field('/AP << /N 502 0 R >>'), 502: drawing('', '\n') }],
  ['the widget on its page', { ...stamping, 3: objects[3]?.replace('5 0 R', '[7 0 R 500 0 R]') ?? '' }],
  ['the name of an extension', { ...stamping, 1: objects[1]?.replace('>>', '/Extensions << /ESIC << >> >> >>') ?? '' }],
];
test.each(accepted)('an update is read that has %s', (what, update) => {
  // An annotation that stood in a list of its own stands on the page then.
  const sealed = what === 'the widget on its page' ? plainPdf({ ...objects, 3: onPage('[7 0 R]') }) : plain;
  expect(read(updated(sealed, update), sealed)).not.toBeNull();
});

function onPage(annotations: string): string {
  return objects[3]?.replace('5 0 R', annotations) ?? '';
}

const refused: Array<[string, Objects]> = [
  ['other contents of a page', { 4: drawing('', '1 g 100 100 300 300 re f') }],
  ['another page', { 3: objects[3]?.replace('/Contents 4 0 R', '/Contents 500 0 R') ?? '', 500: drawing('', '') }],
  ['one page more', { 2: '<< /Type /Pages /Count 2 /Kids [3 0 R 500 0 R] >>', 500: onPage('[]') }],
  ['an action on opening', { 1: objects[1]?.replace('>>', '/OpenAction 500 0 R >>') ?? '', 500: '<< /S /Named >>' }],
  ['layers', { 1: objects[1]?.replace('>>', '/OCProperties << >> >>') ?? '' }],
  ['another annotation', { ...stamping, 5: '[7 0 R 500 0 R 502 0 R]', 502: '<< /Type /Annot /Subtype /Stamp >>' }],
  ['an annotation in the place of another', { 5: '[500 0 R]', 500: field() }],
  ['a visible field', { ...stamping, 500: field('', '[10 10 200 50]') }],
  ['a field that is as tall as a line', { ...stamping, 500: field('', '[10 10 10 50]') }],
  ['a field with an action', { ...stamping, 500: field('/AA << /E 502 0 R >>'), 502: '<< /S /JavaScript /JS (1) >>' }],
  ['a field with an appearance', { ...stamping, 500: field('/AP << /N 502 0 R >>'), 502: drawing('', 'BT ET') }],
  ['a field with an appearance of before', { ...stamping, 500: field('/AP << /N 4 0 R >>') }],
  ['a field with two appearances', { ...stamping, 500: field('/AP << /N 502 0 R /D 4 0 R >>'), 502: drawing('', '') }],
  ['a field that is a note', { ...stamping, 500: field().replace('/Widget', '/Text') }],
  ['a field with other fields', { ...stamping, 500: field('/Kids [502 0 R]'), 502: field() }],
  ['a field that is a page', { ...stamping, 500: field().replace('/Annot', '/Page') }],
  ['a text field', { 6: grown('500 0 R'), 500: '<< /FT /Tx /T (Price) /V (100) /Rect [0 0 0 0] /P 3 0 R >>' }],
  ['an unsigned field', { 6: grown('500 0 R'), 500: field().replace('/V 501 0 R', '') }],
  ['a signature', { ...stamping, 501: stamp.replace('DocTimeStamp', 'Sig').replace('RFC3161', 'CAdES.detached') }],
  ['another appearance of text fields', { 6: grown('', '/DR << >>') }],
  ['a form without its field', { 6: '<< /Fields [] /SigFlags 3 /DA (/Helv 0 Tf 0 g) >>' }],
  ['another seal', { 8: '<< /Type /Sig /SubFilter /ETSI.CAdES.detached /Contents <01> /ByteRange [0 1 2 3] >>' }],
  ['another field of the seal', { 7: field() }],
];
test.each(refused)('an update is not read that has %s', (_, update) => {
  expect(read(updated(plain, update))).toBeNull();
});

test('a new object must not be one that the sealed part mentions', () => {
  const awaiting = plainPdf({ ...objects, 3: objects[3]?.replace('4 0 R', '[4 0 R 500 0 R]') ?? '' });
  expect(read(updated(awaiting, stamping), awaiting)).toBeNull();
  const higher = { 6: grown('600 0 R'), 600: field().replace('501', '601'), 601: stamp };
  expect(read(updated(awaiting, higher), awaiting)).not.toBeNull();
});

test('an object of the store must not be used elsewhere', () => {
  const shared = plainPdf({ ...objects, 3: objects[3]?.replace('/Resources << >>', '/Resources 9 0 R') ?? '' });
  const update = { 9: '<< /Certs [10 0 R] /XObject << /X 500 0 R >> >>', 500: drawing('/Subtype /Form', '') };
  expect(read(updated(shared, update), shared)).toBeNull();
});

test('an update must not redefine an object stream, which holds objects that it may not change', () => {
  const changed = { ...objects, 3: objects[3]?.replace('/Contents 4 0 R', '/Contents 500 0 R') ?? '' };
  const other = plainPdf(changed, { held: [1, 2, 3, 6, 7] }).toString('latin1');
  const [, container = ''] = /\n90 0 obj\n([\s\S]*?)\nendobj/.exec(other) ?? [];
  expect(container).toContain('/Type /ObjStm');
  expect(read(updated(streams, { 90: container, 500: drawing('', 'BT ET') }), streams)).toBeNull();
});

test('a list that a page no longer uses must stay as it is, because another page may use it', () => {
  const two = plainPdf({
    ...objects,
    2: '<< /Type /Pages /Count 2 /Kids [3 0 R 11 0 R] >>',
    11: onPage('5 0 R'),
  });
  const update = { ...stamping, 3: onPage('[7 0 R 500 0 R]'), 5: '[7 0 R 502 0 R]', 502: '<< /Subtype /FreeText >>' };
  expect(read(updated(two, { ...stamping, 5: '[7 0 R 500 0 R]' }), two)).not.toBeNull();
  expect(read(updated(two, update), two)).toBeNull();
  const own = { 1: objects[1]?.replace('6 0 R', '503 0 R') ?? '', 503: grown('500 0 R'), 500: field(), 501: stamp };
  expect(read(updated(plain, own))).not.toBeNull();
  expect(read(updated(plain, { ...own, 6: grown('', '/XObject << /X 4 0 R >>') }))).toBeNull();
});

test('where only the newest part of the sealed file can be read, an update adds a time-stamp and changes nothing else', () => {
  // Readers take either the table or the stream that `/XRefStm` names.
  const hybrid = Buffer.from(plain.toString('latin1').replace('/Size 2000', '/Size 2000 /XRefStm 9'), 'latin1');
  const sealed = updatedPdf(hybrid, { 1: objects[1] ?? '', 6: objects[6] ?? '', 7: objects[7] ?? '' });
  expect(read(updated(sealed, stamping), sealed)).not.toBeNull();
  for (const [number, body] of Object.entries({ 4: drawing('', '1 g'), 9: '<< /Certs [] >>', 5: '[7 0 R 500 0 R]' })) {
    expect(read(updated(sealed, { ...stamping, [number]: body }), sealed)).toBeNull();
    expect(read(updated(sealed, { [number]: body }), sealed)).toBeNull();
  }
});

test('every byte of an update must belong to it', () => {
  const file = updated(plain, stamping);
  const changed = (find: string, replacement: string) => {
    const text = file.toString('latin1', plain.length);
    expect(text).toContain(find);
    return Buffer.concat([plain, Buffer.from(text.replace(find, replacement), 'latin1')]);
  };
  expect(read(file)).not.toBeNull();
  expect(read(Buffer.concat([file, Buffer.from('x')]))).toBeNull();
  expect(read(Buffer.concat([plain, Buffer.from('% a remark\n'), file.subarray(plain.length)]))).toBeNull();
  expect(read(Buffer.concat([file, Buffer.from('4 0 obj\nnull\nendobj\n')]))).toBeNull();
  // The comment of the next object's line end has the same length.
  expect(read(changed('endobj\n500', 'endobj\n%00'))).toBeNull();
  expect(read(changed('startxref', 'startxreg'))).toBeNull();
  expect(read(changed('/Root 1 0 R', '/Root 2 0 R'))).toBeNull();
  expect(read(changed('/Root 1 0 R', '/Root 1 1 R'))).toBeNull();
  expect(read(changed('/Size 2000', '/Size 1000'))).toBeNull();
  expect(read(changed('6 0 obj', '6 1 obj'))).toBeNull();
  expect(read(changed('00000 n', '00001 n'))).toBeNull();
  expect(read(changed('[7 0 R 500', '[7 1 R 500'))).toBeNull();
  expect(read(changed('/Prev ', '/Prex '))).toBeNull();
});

test('an object with a generation must not be redefined, because its references would lead to nothing', () => {
  // Object 6, the form, has generation 1. All lengths stay.
  const text = plain.toString('latin1').replace('6 0 obj', '6 1 obj').replace('/AcroForm 6 0 R', '/AcroForm 6 1 R');
  const sealed = Buffer.from(text.replace(/(\n6 1\n\d{10}) 00000 n/, '$1 00001 n'), 'latin1');
  expect(sealed.length).toBe(plain.length);
  expect(read(updated(sealed, { 9: '<< /Certs [10 0 R 500 0 R] >>', 500: drawing('', 'a') }), sealed)).not.toBeNull();
  expect(read(updated(sealed, stamping), sealed)).toBeNull();
});

test('a time-stamp must cover the file to the end of an update', () => {
  const file = updated(plain, stamping);
  const range = /\/ByteRange \[0 (\d+) +(\d+) +(\d+) +\]/.exec(file.toString('latin1', plain.length));
  const [text = '', , , length = ''] = range ?? [];
  for (const other of [`${Number(length) - 7}`, `${Number(length) + 1}`, '1']) {
    const changed = Buffer.from(file);
    changed.write(text.replace(/\d+ +\]$/, `${other.padEnd(11)}]`), file.lastIndexOf(text), 'latin1');
    expect(read(changed)).toBeNull();
  }
});

test('an update must not free an object, and must follow the sealed part', () => {
  const freed = updated(plain, stamping)
    .toString('latin1')
    .replace(/\n6 1\n\d{10} 00000 n /, '\n6 1\n0000000000 00001 f ');
  expect(read(Buffer.from(freed, 'latin1'))).toBeNull();
  expect(read(plain)).toBeNull();
  expect(readValidationUpdate(Buffer.from('no PDF'), 3)).toBeNull();
  expect(readValidationUpdate(plain, 0)).toBeNull();
});

/** The update of the time-stamp with this number, in a chain where `earlier` ones came before it. */
function stampingAs(number: number, earlier: readonly number[]): Objects {
  const fields = [...earlier, number].map((one) => `${one} 0 R`).join(' ');
  return { 6: grown(fields), [number]: field().replace('501', `${number + 1}`), [number + 1]: stamp };
}

const changedPage: Objects = { 3: objects[3]?.replace('4 0 R', '600 0 R') ?? '', 600: drawing('', '1 g') };

test('a change between two time-stamps is named, also when the next update undoes it', () => {
  const first = updated(plain, stamping);
  const shown = updated(first, changedPage);
  const onIt = updated(shown, stampingAs(700, [500]));
  expect(read(shown)).toBeNull();
  expect(read(onIt)).toBeNull();
  // The last update has the page as it was, with the widget of its time-stamp.
  const undone = { ...stampingAs(800, [500, 700]), 3: onPage('[7 0 R 800 0 R]') };
  expect(read(updated(onIt, undone))).toBeNull();
  expect(read(updated(updated(plain, { ...stamping, ...changedPage }), { 3: objects[3] ?? '' }))).toBeNull();
  // Without the change, the same chain is read.
  expect(read(updated(first, stampingAs(700, [500])))?.stamps).toHaveLength(2);
});

test.each<[string, Objects]>([
  ['the field of the first time-stamp', { 500: field('', '[10 10 200 50]') }],
  ['the first time-stamp', { 501: stamp }],
  ['the appearance of its field', { 502: drawing('', 'BT ET') }],
  ['the form, without its field', { 6: '<< /Fields [7 0 R 700 0 R] /SigFlags 3 /DA (/Helv 0 Tf 0 g) >>' }],
])('a second update must not redefine %s', (_, change) => {
  const first = updated(plain, { ...stamping, 500: field('/AP << /N 502 0 R >>'), 502: drawing('', '') });
  const second = stampingAs(700, [500]);
  expect(read(updated(first, second))?.stamps).toHaveLength(2);
  expect(read(updated(first, { ...second, ...change }))).toBeNull();
  expect(read(updated(first, change))).toBeNull();
});

test('a second update may add to the store of the first', () => {
  const own = { ...objects, 1: objects[1]?.replace('9 0 R', '500 0 R') ?? '' };
  const first = updated(plain, { 1: own[1], 500: '<< /Certs [10 0 R 501 0 R] >>', 501: drawing('', 'another') });
  const vri = { 500: '<< /Certs [10 0 R 501 0 R] /VRI << /AB 700 0 R >> >>', 700: '<< /Cert [501 0 R] >>' };
  expect(read(updated(first, vri))).toMatchObject({ stamps: [] });
  const onPage600 = { 500: '<< >>', 3: objects[3]?.replace('<< >>', '<< /XObject << /X 501 0 R >> >>') ?? '' };
  expect(read(updated(first, onPage600))).toBeNull();
});

test('a time-stamp must cover its own update, not only what looks like the end of one', () => {
  const file = updated(plain, { ...stamping, 502: drawing('', 'xref\n%%EOF\n') });
  expect(read(file)).not.toBeNull();
  const inside = file.lastIndexOf('xref\n%%EOF') + 'xref\n%%EOF'.length;
  const range = /\/ByteRange \[0 (\d+) +(\d+) +(\d+) +\]/.exec(file.toString('latin1', plain.length));
  const [text = '', , second = ''] = range ?? [];
  const changed = Buffer.from(file);
  const covered = String(inside - Number(second)).padEnd(11);
  changed.write(text.replace(/\d+ +\]$/, `${covered}]`), file.lastIndexOf(text), 'latin1');
  expect(read(changed)).toBeNull();
});

test('hundreds of updates are read, and a change in the middle of them is named', () => {
  const numbers = Array.from({ length: 300 }, (_, index) => 1000 + 2 * index);
  const chain = (change: number | null) =>
    numbers.reduce((file, number, index) => {
      const more = index === change ? { 4: drawing('', '1 g') } : {};
      return updated(file, { ...stampingAs(number, numbers.slice(0, index)), ...more });
    }, plain);
  expect(read(chain(null))?.stamps).toHaveLength(300);
  expect(read(chain(150))).toBeNull();
});
