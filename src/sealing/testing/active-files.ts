import { makePdf, type PdfPlan, stream } from '../../pdf/pdfium/testing/make-pdf.ts';

const first = 10_000;
const script = (name: string) => `<< /S /JavaScript /JS (${name}) >>`;
const look = stream(
  '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>',
  Buffer.from('BT /F1 24 Tf 72 500 Td (Annotation) Tj ET'),
);
const twoPages = (entries: string, plan: PdfPlan = {}) =>
  makePdf({ pages: [{ text: 'Terms' }, { text: 'Price: 100 dollars', entries }], ...plan });
const annotation = (entries: string) =>
  `<< /Type /Annot /Rect [72.1234567 300 400 500] /F 4 /AP << /N ${first} 0 R >> ${entries} >>`;

/** Makes a file whose second page shows `Layer` as a layer, with more entries of the group and of the layers. */
export const layered = (group: string, properties: string) =>
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

const missing = Array.from({ length: 150 }, (_, i) => 14 + i);

/** Files whose second page would look different if the seal used the numbers of missing objects. */
export const namingFiles: Record<string, () => Buffer> = {
  appearances: () =>
    twoPages(
      `/Annots [${missing.map((n) => `<< /Type /Annot /Subtype /Widget /FT /Tx /T (F${n}) /F 4 /Rect [72 300 400 500] /AP << /N ${n} 0 R >> >>`).join(' ')}]`,
    ),
  fonts: () =>
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

/** Actions that sealing removes from links and bookmarks, by kind. */
const harmfulActions: Record<string, string> = {
  'a script': '/S /JavaScript /JS (x)',
  'a switch of layers behind a harmless one': '/S /GoTo /D [12 0 R /Fit] /Next << /S /SetOCGState /State [] >>',
  'an address with a script': '/S /URI /URI (java\\nscript:x)',
  'a program': '/S /Launch /F (program.exe)',
  'sending the form': '/S /SubmitForm /F (http://127.0.0.1:9/form)',
  'another file': '/S /GoToR /F (remote.pdf) /D [0 /Fit]',
  'an embedded file': '/S /GoToE /D (place) /T << /R /C /N (values.json) >>',
  'a film': '/S /Rendition /OP 0',
  'data for the form': '/S /ImportData /F (values.fdf)',
  'a command of the reader': '/S /Named /N /SaveAs',
  'a thread of another file': '/S /Thread /F (remote.pdf) /D 0',
};
const harmless = [
  '/S /GoTo /D [12 0 R /Fit]',
  '/S /GoTo /D (chapter)',
  '/S /URI /URI (https://example.com/terms:1)',
  '/S /URI /URI ( http://example.com/after-a-space)',
  '/S /URI /URI (mailto:a@example.com)',
  '/S /URI /URI (terms.html)',
  '/S /Named /N /NextPage',
];

const marked = (action: string, mark: string) => `<< ${action} /Mark (${mark}) >>`;
const [linked, kept] = [Object.values(harmfulActions), harmless];

/** Texts of the parts of `activeFile()` that sealing keeps. */
export const keptMarks = kept.flatMap((_, i) => [`kept link ${i}`, `kept bookmark ${i}`]);

/** Parts of `activeFile()` that sealing removes, each with a text that identifies it. */
export const removedParts: Record<string, string> = {
  'scripts of the file': '(file script)',
  'opening actions': '(opening)',
  'actions of the file': '(before print)',
  'actions of a page': '(page open)',
  'actions of an annotation': '(annotation shown)',
  'actions of a form field above its annotation': '(field format)',
  'actions of a form field without annotation': '(field without annotation)',
  'the order of calculations': '/CO [',
  'actions that a link had before': '(link before)',
  'the base of addresses': '(base)',
  'requirements with scripts': '/Requirements',
  'slideshows of embedded files': '/AlternatePresentations',
  'films over the page': '/Screen',
  'steps of a presentation': '/PresSteps',
  'a portfolio': '/Collection',
  'appearances that readers draw': '/NeedAppearances true',
  'XFA forms': '/XFA',
  'actions in the place of a bookmark': '(bookmark place)',
  'actions of a bookmark that is only reached backwards': '(last bookmark)',
  'actions in named places': '(named place)',
  'actions in the named places of PDF 1.1': '(old named place)',
  ...Object.fromEntries(
    Object.keys(harmfulActions).flatMap((what, i) => [
      [`a link to ${what}`, `(link ${i})`],
      [`a bookmark to ${what}`, `(bookmark ${i})`],
    ]),
  ),
};

/** Makes a file with all parts that sealing removes, and with links and bookmarks that it keeps. */
export function activeFile(): Buffer {
  const actions = [
    ...linked.map((action, i) => [action, `link ${i}`, `bookmark ${i}`] as const),
    ...kept.map((action, i) => [action, `kept link ${i}`, `kept bookmark ${i}`] as const),
  ];
  const annotations = [
    ...actions.map(([action, mark]) => annotation(`/Subtype /Link /A ${marked(action, mark)}`)),
    annotation(`/Subtype /Link /PA ${marked('/S /URI /URI (javascript:x)', 'link before')}`),
    annotation(`/Subtype /Stamp /AA << /PV ${script('annotation shown')} >>`),
    annotation('/Subtype /Widget /Parent 10001 0 R'),
    annotation('/Subtype /Screen'),
  ];
  const bookmarks = actions.map(([action, , mark]) => `/A ${marked(action, mark)}`);
  const items = [
    ...bookmarks,
    `/Dest << /D [12 0 R /Fit] /A ${script('bookmark place')} >>`,
    // No previous bookmark refers to this one.
    `/A ${script('last bookmark')}`,
  ];
  const firstItem = first + 4;
  const lastItem = firstItem + items.length - 1;
  const outline = items.map((entries, i) => {
    const next = i < items.length - 2 ? `/Next ${firstItem + i + 1} 0 R` : '';
    return `<< /Title (Bookmark) /Parent ${first + 3} 0 R ${next} ${entries} >>`;
  });
  const place = (mark: string) => `<< /D [12 0 R /Fit] /S /JavaScript /JS (${mark}) >>`;
  return twoPages(
    `/AA << /O ${script('page open')} >> /PresSteps << /Type /NavNode >> /Annots [${annotations.join(' ')}]`,
    {
      catalog: `/AA << /WP ${script('before print')} >> /OpenAction ${script('opening')}
        /Collection << /View /D >> /URI << /Base (javascript:x) /Mark (base) >>
        /Requirements [<< /S /EnableJavaScripts /RH << /S /JS /Script (x) >> >>]
        /Names << /JavaScript << /Names [(a) ${script('file script')}] >> /AlternatePresentations << /Names [] >>
                  /Dests << /Kids [<< /Limits [(a) (z)] /Names [(chapter) ${place('named place')}] >>] >> >>
        /Dests << /old ${place('old named place')} >> /Outlines ${first + 3} 0 R
        /AcroForm << /Fields [10002 0 R] /NeedAppearances true /CO [10001 0 R] /XFA [(template) 10002 0 R]
                     /DA (/Helv 12 Tf) >>`,
      objects: [
        look,
        `<< /T (P) /FT /Tx /AA << /F ${script('field format')} >> >>`,
        `<< /T (Q) /Kids [<< /T (R) /FT /Tx /AA << /C ${script('field without annotation')} >> >>] >>`,
        `<< /Type /Outlines /First ${firstItem} 0 R /Last ${lastItem} 0 R >>`,
        ...outline,
      ],
    },
  );
}

/** Makes a file whose second page has an annotation with these flags. */
export const flaggedFile = (flags: number) =>
  twoPages(`/Annots [${annotation('/Subtype /Stamp').replace('/F 4', `/F ${flags}`)}]`, { objects: [look] });

/** Makes a file with a layer that PDFium hides and most other readers show. */
export const disputedLayer = () => layered('/Usage << /View << /ViewState /OFF >> >>', `/D << /ON [${first} 0 R] >>`);

/** Makes a file with a layer that only shows in print, and that another configuration hides. */
export const changingLayer = () =>
  layered(
    '/Usage << /Print << /PrintState /ON >> >>',
    `/D << /OFF [${first} 0 R] /AS [<< /Event /Print /Category [/Print] /OCGs [${first} 0 R] >>] >>
     /Configs [<< /Intent /View /OFF [${first} 0 R] >>]`,
  );

export const openingPlace = () => twoPages('', { catalog: '/OpenAction [12 0 R /Fit]' });

/** Makes a file with a bookmark that has an action. */
export const withBookmark = (action: string) =>
  twoPages('', {
    catalog: '/Outlines << /First 10001 0 R /Last 10001 0 R >>',
    objects: [look, `<< /Title (Bookmark) /A << ${action} >> >>`],
  });
