import { makePdf, type PdfPlan, stream } from '../pdfium/testing/make-pdf.ts';

const first = 10_000;
const script = '<< /S /JavaScript /JS (this.getField\\("Price"\\).value = 100000) >>';
const other = (text: string, entries = '') =>
  stream(entries, Buffer.from(`BT /F1 24 Tf 72 500 Td (${text}) Tj ET`, 'latin1'));
const look = (text: string) =>
  other(text, '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>');
const twoPages = (entries: string, plan: PdfPlan = {}) =>
  makePdf({ pages: [{ text: 'Terms' }, { text: 'Price: 100 dollars', entries }], ...plan });
const annotation = (entries: string) =>
  `/Annots [<< /Type /Annot /Rect [72 300 400 500] /AP << /N ${first} 0 R >> ${entries} >>]`;
const annotated = (entries: string, plan: PdfPlan = {}) =>
  twoPages(annotation(entries), { objects: [look('Annotation')], ...plan });

/** The second page shows `Layer` as a layer. Of the group and of the layers: further entries. */
const layered = (group: string, properties: string) =>
  makePdf({
    pages: [
      { text: 'Terms' },
      {
        entries: `/Resources << /Font << /F1 3 0 R >> /Properties << /L ${first} 0 R >> >>`,
        content: {
          entries: '',
          bytes: Buffer.from('BT /F1 24 Tf 72 700 Td (Price: 100 dollars) Tj 0 -100 Td /OC /L BDC (Layer) Tj EMC ET'),
        },
      },
    ],
    objects: [`<< /Type /OCG /Name (L) ${group} >>`],
    catalog: `/OCProperties << /OCGs [${first} 0 R] ${properties} >>`,
  });
const only = (event: string, shown: string, hidden: string) =>
  layered(
    `/Usage << /${event} << /${event}State /${shown} >> >>`,
    `/D << /${hidden} [${first} 0 R] /AS [<< /Event /${event} /Category [/${event}] /OCGs [${first} 0 R] >>] >>`,
  );

/** Objects and a table of them behind a file, with a trailer of its own. */
function updated(pdf: Buffer, objects: Record<number, string | Buffer>, trailer: string): Buffer {
  const parts = [pdf];
  let offset = pdf.length;
  const rows: string[] = [];
  for (const [number, body] of Object.entries(objects)) {
    rows.push(`${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
    const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]);
    parts.push(object);
    offset += object.length;
  }
  const [, previous] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.toString('latin1')) ?? [];
  const end = `trailer\n<< /Root 1 0 R /Prev ${previous} ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(`xref\n${rows.join('')}${end}`)]);
}

/** Object 14 is in the cross-reference stream only, which older readers pass over. */
function hybrid(): Buffer {
  const pdf = twoPages('/Contents [13 0 R 14 0 R]');
  const hidden = Buffer.concat([Buffer.from('14 0 obj\n'), other('Hidden'), Buffer.from('\nendobj\n')]);
  const row = Buffer.alloc(7);
  row.writeUInt8(1, 0);
  row.writeUInt32BE(pdf.length, 1);
  const table = Buffer.concat([
    Buffer.from('15 0 obj\n'),
    stream('/Type /XRef /Size 16 /W [1 4 2] /Index [14 1]', row),
    Buffer.from('\nendobj\n'),
  ]);
  const start = pdf.length + hidden.length;
  const [, previous] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.toString('latin1')) ?? [];
  const trailer = `trailer\n<< /Size 16 /Root 1 0 R /Prev ${previous} /XRefStm ${start} >>`;
  const end = `xref\n0 1\n0000000000 65535 f \n${trailer}\nstartxref\n${start + table.length}\n%%EOF\n`;
  return Buffer.concat([pdf, hidden, table, Buffer.from(end)]);
}

function duplicated(): Buffer {
  const text = twoPages('').toString('latin1');
  const twice = `13 0 obj\n${other('Price: 100000 dollars').toString('latin1')}\nendobj\n`;
  return Buffer.from(text.replace(/(startxref\s+\d+\s+%%EOF\s*)$/, `$1${twice}`), 'latin1');
}

const missing = Array.from({ length: 150 }, (_, i) => 14 + i);

/** Files that could show something else later, each in its way. What is seen of their second page must stay as it is. */
export const activeFiles: Record<string, () => Buffer> = {
  'an external stream': () =>
    twoPages(`/Contents [13 0 R ${first} 0 R]`, { objects: [other('Local', '/F (http://127.0.0.1:9/price.txt)')] }),
  'an external stream in a file of the seal': () =>
    twoPages(`/Contents [13 0 R ${first} 0 R]`, {
      objects: [other('Local', '/F << /Type /Filespec /F (values.json) /EF << /F 14 0 R >> >>')],
    }),
  'a layer for print only': () => only('Print', 'ON', 'OFF'),
  'a layer for the screen only': () => only('View', 'ON', 'ON'),
  'layers that the seal would define': () => twoPages('', { catalog: '/OCProperties 14 0 R' }),
  'a script of the file': () => twoPages('', { catalog: `/Names << /JavaScript << /Names [(a) ${script}] >> >>` }),
  'an opening action': () => twoPages('', { catalog: `/OpenAction ${script}` }),
  'actions of the file': () => twoPages('', { catalog: `/AA << /WP ${script} >>` }),
  'actions of a page': () => twoPages(`/AA << /O ${script} >>`),
  'actions of an annotation': () => annotated(`/Subtype /Stamp /F 4 /AA << /PV ${script} >>`),
  'appearances that readers draw': () =>
    annotated(`/Subtype /Widget /FT /Tx /T (Price) /V (100000) /F 4`, {
      catalog: '/AcroForm << /NeedAppearances true /Fields [] /DA (/Helv 12 Tf) >>',
    }),
  'appearances that the seal would define': () =>
    twoPages(
      `/Annots [${missing.map((n) => `<< /Type /Annot /Subtype /Widget /FT /Tx /T (F${n}) /F 4 /Rect [72 300 400 500] /AP << /N ${n} 0 R >> >>`).join(' ')}]`,
    ),
  'an XFA form': () => twoPages('', { catalog: '/AcroForm << /Fields [] /XFA [(template) 14 0 R] >>' }),
  'several revisions': () => updated(twoPages(''), { 13: other('Price: 200 dollars') }, '/Size 14'),
  'a hybrid cross-reference': hybrid,
  'an object defined twice': duplicated,
  'an object beyond /Size': () => updated(twoPages('/Contents [13 0 R 40 0 R]'), { 40: other('Beyond') }, '/Size 14'),
  'generations beyond the largest': () =>
    twoPages(`/Contents [13 0 R ${missing.map((n) => `${n} 65536 R ${n} 4294967296 R`).join(' ')}]`),
  'fonts that do not exist': () =>
    makePdf({
      pages: [
        { text: 'Terms' },
        {
          entries: `/Resources << /Font << ${missing.map((n) => `/F${n} ${n} 0 R`).join(' ')} >> >>`,
          content: {
            entries: '',
            bytes: Buffer.from(`BT 72 700 Td ${missing.map((n) => `/F${n} 12 Tf <00410042> Tj`).join(' ')} ET`),
          },
        },
      ],
    }),
};

/** What sealing removes from a file, with a text of the file that tells whether it is there. */
export const removedParts: Record<string, [file: () => Buffer, sign: RegExp]> = {
  'scripts of the file': [activeFiles['a script of the file'] as () => Buffer, /\/JavaScript/],
  'opening actions': [activeFiles['an opening action'] as () => Buffer, /\/OpenAction/],
  'actions of the file': [activeFiles['actions of the file'] as () => Buffer, /\/WP\b/],
  'actions of a page': [activeFiles['actions of a page'] as () => Buffer, /\/AA\b/],
  'actions of an annotation': [activeFiles['actions of an annotation'] as () => Buffer, /\/AA\b/],
  'actions of a form field above its annotation': [
    () =>
      annotated('/Subtype /Widget /F 4 /Parent 10001 0 R', {
        objects: [look('Annotation'), `<< /T (P) /FT /Tx /AA << /C ${script} >> >>`],
      }),
    /\/AA\b/,
  ],
  'scripts of a link': [() => annotated(`/Subtype /Link /F 4 /A ${script}`), /\/JavaScript/],
  'a link that switches layers': [
    () => annotated('/Subtype /Link /F 4 /A << /S /GoTo /D [12 0 R /Fit] /Next << /S /SetOCGState /State [] >> >>'),
    /\/SetOCGState/,
  ],
  'films over the page': [() => annotated('/Subtype /Screen /F 4'), /\/Screen/],
  'steps of a presentation': [() => twoPages('/PresSteps << /Type /NavNode >>'), /\/PresSteps/],
  'a portfolio': [() => twoPages('', { catalog: '/Collection << /View /D /D (values.json) >>' }), /\/Collection/],
  'appearances that readers draw': [
    activeFiles['appearances that readers draw'] as () => Buffer,
    /\/NeedAppearances true/,
  ],
  'XFA forms': [activeFiles['an XFA form'] as () => Buffer, /\/XFA/],
  'usage rights': [() => twoPages('', { catalog: '/Perms << /UR3 << /Type /Other >> >>' }), /\/UR3/],
  'automatic layers': [activeFiles['a layer for print only'] as () => Buffer, /\/Event/],
  'other configurations of layers': [
    () => layered('', `/D << >> /Configs [<< /Intent /View /OFF [${first} 0 R] >>]`),
    /\/Configs/,
  ],
};

/** The second page has an annotation with these flags. */
export const flaggedFile = (flags: number) => annotated(`/Subtype /Stamp /F ${flags}`);

/** PDFium hides the layer, and most other readers show it. */
export const disputedLayer = () => layered('/Usage << /View << /ViewState /OFF >> >>', `/D << /ON [${first} 0 R] >>`);

export const openingPlace = () => twoPages('', { catalog: '/OpenAction [12 0 R /Fit]' });
export const withScript = activeFiles['a script of the file'] as () => Buffer;
