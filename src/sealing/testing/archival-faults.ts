import type { ArchivalLevel } from '../../pdf/archival/xmp.ts';
import { inspect } from './tools.ts';

/** A PDF object as `qpdf --json` prints it. References are texts such as `4 0 R`, names begin with `/`, and texts with `u:`. */
type Value = null | boolean | number | string | Value[] | Dict;
type Dict = { [key: string]: Value };
type PdfObject = { value?: Value; stream?: { dict: Dict; data: string } };

interface Inspected {
  objects: Map<string, PdfObject>;
  resolve(value: Value | undefined): Value | undefined;
  dict(value: Value | undefined): Dict;
  list(value: Value | undefined): Value[];
  /** Decoded data of a stream. */
  data(value: Value | undefined): Buffer;
  trailer: Dict;
  catalog: Dict;
}

/**
 * Finds what keeps a file with this level from being PDF/A-3, by the clauses of ISO 19005-3:2012. It covers what can be read from
 * the objects of the file. Widths, glyphs and colours in content streams are left to validators. Needs qpdf.
 */
export function archivalFaults(bytes: Buffer, level: ArchivalLevel): string[] {
  const pdf = open(bytes);
  return [
    ...fileFaults(bytes, pdf),
    ...colourFaults(pdf),
    ...fontFaults(pdf, level),
    ...interactiveFaults(pdf),
    ...metadataFaults(pdf, level),
    ...embeddedFaults(pdf),
    ...(level === 'A' ? structureFaults(pdf) : []),
  ];
}

/** Returns the claim in the metadata of a file, such as `3U`. Null: it has none. */
export function archivalClaim(bytes: Buffer): string | null {
  const pdf = open(bytes);
  return claimIn(pdf.data(pdf.catalog['/Metadata']).toString());
}

function claimIn(xmp: string): string | null {
  const value = (name: string) =>
    new RegExp(`pdfaid:${name}(?:>|\\s*=\\s*["'])([^<"']*)`).exec(xmp)?.slice(1).join('') ?? '';
  const stated = value('part') + value('conformance');
  return stated === '' ? null : stated;
}

function open(bytes: Buffer): Inspected {
  const json = inspect(bytes, 'qpdf', ['--json=2', '--json-stream-data=inline', '--decode-level=generalized']);
  const { qpdf } = JSON.parse(json) as { qpdf: [unknown, Record<string, PdfObject>] };
  const objects = new Map(Object.entries(qpdf[1]).map(([key, object]) => [key.replace('obj:', ''), object]));
  const at = (value: Value | undefined) => (typeof value === 'string' ? objects.get(value) : undefined);
  const resolve = (value: Value | undefined) => {
    const object = at(value);
    return object === undefined ? value : (object.value ?? object.stream?.dict);
  };
  const dict = (value: Value | undefined) => {
    const resolved = resolve(value);
    return typeof resolved === 'object' && resolved !== null && !Array.isArray(resolved) ? resolved : {};
  };
  const list = (value: Value | undefined) => {
    const resolved = resolve(value);
    return Array.isArray(resolved) ? resolved : [];
  };
  const data = (value: Value | undefined) => Buffer.from(at(value)?.stream?.data ?? '', 'base64');
  const trailer = dict('trailer');
  return { objects, resolve, dict, list, data, trailer, catalog: dict(trailer['/Root']) };
}

function when(condition: boolean, fault: string): string[] {
  return condition ? [fault] : [];
}

/** All dictionaries of a file, also those inside others. */
function dictionaries({ objects }: Inspected): Dict[] {
  const found: Dict[] = [];
  const waiting: Value[] = [...objects.values()].map(({ value, stream }) => value ?? stream?.dict ?? null);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) found.push(next);
    waiting.push(...Object.values(next));
  }
  return found;
}

function fileFaults(bytes: Buffer, pdf: Inspected): string[] {
  const comment = bytes.subarray(9, 14);
  const isBinary = comment[0] === 0x25 && comment.subarray(1).every((byte) => byte > 127);
  const filters = inspect(bytes, 'qpdf', ['--json=2', '--json-key=qpdf']).match(/"\/(?:LZWDecode|Crypt)"/g) ?? [];
  return [
    ...when(!/^%PDF-1\.[0-7]\n/.test(bytes.toString('latin1', 0, 9)), '6.1.2: the header'),
    ...when(!isBinary, '6.1.2: no binary comment after the header'),
    ...when(pdf.list(pdf.trailer['/ID']).length !== 2, '6.1.3: no file identifier'),
    ...when('/Encrypt' in pdf.trailer, '6.1.3: encrypted'),
    ...when(!/%%EOF\r?\n?$/.test(bytes.toString('latin1', bytes.length - 8)), '6.1.3: something after the end'),
    ...when(!/No syntax or stream encoding errors/.test(inspect(bytes, 'qpdf', ['--check'])), '6.1.7.1: streams'),
    ...filters.map((filter) => `6.1.7.2: ${filter}`),
  ];
}

function colourFaults(pdf: Inspected): string[] {
  const intents = pdf.list(pdf.catalog['/OutputIntents']).map(pdf.dict);
  const profile = pdf.data(intents[0]?.['/DestOutputProfile']);
  const faults = [
    ...when(intents.length !== 1 || intents[0]?.['/S'] !== '/GTS_PDFA1', '6.2.3: not one output intent'),
    ...when(profile.toString('latin1', 36, 40) !== 'acsp', '6.2.3: no ICC profile'),
    ...when(
      profile.length < 128 || profile.length !== profile.readUInt32BE(0),
      '6.2.3: the ICC profile has another length',
    ),
  ];
  const isRgb = profile.toString('latin1', 16, 20) === 'RGB ';
  for (const dict of dictionaries(pdf)) {
    const hasDefault = '/DefaultRGB' in pdf.dict(dict['/ColorSpace']);
    const images = Object.values(pdf.dict(dict['/XObject'])).map(pdf.dict);
    const usesRgb = images.some((image) => JSON.stringify(image['/ColorSpace'] ?? '').includes('/DeviceRGB'));
    faults.push(
      ...when(!isRgb && usesRgb && !hasDefault, '6.2.4.3: DeviceRGB without its output intent'),
      ...when(['/TR', '/HTP'].some((key) => key in dict) && dict['/Type'] === '/ExtGState', '6.2.5: ExtGState'),
      ...when(dict['/Interpolate'] === true || '/Alternates' in dict || '/OPI' in dict, '6.2.8: an image'),
      ...when(dict['/Subtype'] === '/PS' || (dict['/Subtype'] === '/Form' && '/Ref' in dict), '6.2.9: an XObject'),
    );
  }
  return faults;
}

function fontFaults(pdf: Inspected, level: ArchivalLevel): string[] {
  return dictionaries(pdf)
    .filter((dict) => dict['/Type'] === '/Font')
    .flatMap((font) => {
      const name = String(font['/BaseFont']);
      if (font['/Subtype'] === '/Type0') {
        const isMapped = pdf.data(font['/ToUnicode']).length > 0;
        return when(level !== 'B' && !isMapped, `6.2.11.7.2: ${name} has no ToUnicode`);
      }
      const descriptor = pdf.dict(font['/FontDescriptor']);
      const isEmbedded = ['/FontFile', '/FontFile2', '/FontFile3'].some((key) => pdf.data(descriptor[key]).length > 0);
      const hasGlyphs = font['/Subtype'] !== '/CIDFontType2' || '/CIDToGIDMap' in font;
      return [
        ...when(!isEmbedded, `6.2.11.4.1: ${name} is not embedded`),
        ...when(!hasGlyphs, `6.2.11.3.2: ${name} has no CIDToGIDMap`),
        ...when(!('/W' in font || '/Widths' in font), `6.2.11.5: ${name} has no widths`),
      ];
    });
}

const annotations = ['Link', 'Popup', 'Widget', 'Stamp', 'Text', 'FreeText', 'Highlight', 'Line', 'Square', 'Circle'];
const actions = [
  '/Launch',
  '/Sound',
  '/Movie',
  '/ResetForm',
  '/ImportData',
  '/Hide',
  '/SetOCGState',
  '/Rendition',
  '/Trans',
  '/GoTo3DView',
  '/JavaScript',
];
const flags = { print: 4, unseen: 1 | 2 | 32 | 256 };

function interactiveFaults(pdf: Inspected): string[] {
  const form = pdf.dict(pdf.catalog['/AcroForm']);
  return [
    ...dictionaries(pdf).flatMap((dict) => {
      const isAnnotation = dict['/Type'] === '/Annot';
      const [type, bits] = [String(dict['/Subtype']).slice(1), Number(dict['/F'] ?? 0)];
      const isShown = (bits & flags.print) !== 0 && (bits & flags.unseen) === 0;
      const [x1, y1, x2, y2] = pdf.list(dict['/Rect']);
      const isDrawn = '/AP' in dict || type === 'Link' || type === 'Popup' || (x1 === x2 && y1 === y2);
      return [
        ...when(isAnnotation && !annotations.includes(type), `6.3.1: an annotation ${type}`),
        ...when(isAnnotation && type !== 'Popup' && !isShown, `6.3.2: flags ${bits} of an annotation ${type}`),
        ...when(isAnnotation && !isDrawn, `6.3.3: an annotation ${type} without appearance`),
        ...when(actions.includes(String(dict['/S'])), `6.5.1: an action ${dict['/S']}`),
        ...when('/AA' in dict, '6.5.2: actions without a click'),
      ];
    }),
    ...when(form['/NeedAppearances'] === true, '6.4.1: NeedAppearances'),
    ...when('/XFA' in form || '/NeedsRendering' in pdf.catalog, '6.4.2: XFA'),
    ...['/AlternatePresentations', '/JavaScript'].flatMap((key) =>
      when(key in pdf.dict(pdf.catalog['/Names']), `6.10: ${key}`),
    ),
    ...when('/Requirements' in pdf.catalog, '6.11: requirements'),
  ];
}

function metadataFaults(pdf: Inspected, level: ArchivalLevel): string[] {
  const stream = pdf.dict(pdf.catalog['/Metadata']);
  const xmp = pdf.data(pdf.catalog['/Metadata']).toString();
  const info = pdf.dict(pdf.trailer['/Info']);
  const stated = (key: string) => String(info[key] ?? '').replace(/^u:/, '');
  const text = (value: string) =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const time = stated('/CreationDate').replace(/^D:(....)(..)(..)(..)(..)(..).*/, '$1-$2-$3T$4:$5:$6Z');
  return [
    ...when(stream['/Type'] !== '/Metadata' || stream['/Subtype'] !== '/XML', '6.6.2.1: no metadata'),
    ...when(/<\?xpacket[^>]*(bytes|encoding)=/.test(xmp), '6.6.2.1: the header of the packet'),
    ...when(claimIn(xmp) !== `3${level}`, `6.6.4: the claim is ${claimIn(xmp)}`),
    ...when(/Countersign/.test(stated('/Producer')) && !xmp.includes(text(stated('/Title'))), '6.6.3: another title'),
    ...when(/Countersign/.test(stated('/Producer')) && !xmp.includes(time), '6.6.3: another time'),
  ];
}

function embeddedFaults(pdf: Inspected): string[] {
  const associated = new Set(
    dictionaries(pdf)
      .flatMap((dict) => pdf.list(dict['/AF']))
      .map(String),
  );
  return [...pdf.objects].flatMap(([ref, { value }]) => {
    const file = pdf.dict(value);
    if (!('/EF' in file)) return [];
    const name = String(file['/UF'] ?? ref);
    const type = String(pdf.dict(pdf.dict(file['/EF'])['/F'])['/Subtype']);
    return [
      ...when(!('/F' in file && '/UF' in file), `6.8: ${name} has no names`),
      ...when(!('/AFRelationship' in file), `6.8: ${name} has no relationship`),
      ...when(!/^\/[-\w.+]+\/[-\w.+]+$/.test(type), `6.8: ${name} has the media type ${type}`),
      ...when(!associated.has(ref), `6.8: ${name} is not associated`),
    ];
  });
}

const standardTypes = ['/Document', '/Sect', '/L', '/LI', '/LBody', '/H1', '/H2', '/P', '/Figure'];

/** What keeps a file from being tagged: each marked content belongs to a part, and each picture has a text. */
function structureFaults(pdf: Inspected): string[] {
  const root = pdf.dict(pdf.catalog['/StructTreeRoot']);
  const parts = [...pdf.objects].filter(([, { value }]) => pdf.dict(value)['/Type'] === '/StructElem');
  const numbers = pdf.list(pdf.dict(root['/ParentTree'])['/Nums']);
  const parentsOf = (number: Value | undefined) => pdf.list(numbers[numbers.indexOf(number ?? null) + 1]);
  const pages = [...pdf.objects.values()]
    .map(({ value }) => pdf.dict(value))
    .filter((dict) => dict['/Type'] === '/Page');
  return [
    ...when(pdf.dict(pdf.catalog['/MarkInfo'])['/Marked'] !== true, '6.7.2.2: not marked'),
    ...when(parts.length === 0, '6.7.3.1: no structure'),
    ...when(!('/Lang' in pdf.catalog), '6.7.4: no language'),
    ...parts.flatMap(([ref, { value }]) => {
      const part = pdf.dict(value);
      const above = part['/P'] ?? null;
      const isBelow = root['/K'] === ref || pdf.list(pdf.dict(above)['/K']).includes(ref);
      return [
        ...when(!standardTypes.includes(String(part['/S'])), `6.7.3.4: the type ${part['/S']}`),
        ...when(!isBelow || pdf.list(part['/K']).length === 0, `6.7.3.1: ${ref} is no part of the structure`),
        ...when(part['/S'] === '/Figure' && !/^u:./.test(String(part['/Alt'])), '6.7.5: a figure without its text'),
      ];
    }),
    ...pages.flatMap((page) => {
      const contents = page['/Contents'] ?? null;
      const content = (Array.isArray(contents) ? contents : [contents])
        .map((part) => pdf.data(part).toString('latin1'))
        .join('\n');
      const ids = [...content.matchAll(/\/MCID (\d+)/g)].map(([, id]) => id).join();
      const parents = parentsOf(page['/StructParents']);
      return [
        ...when(ids !== [...parents.keys()].join(), '6.7.3.1: marked content that belongs to no part'),
        ...when(drawsOutside(content), '6.7.3.1: content that is neither a part nor decoration'),
      ];
    }),
  ];
}

/** Whether content draws text, lines or pictures outside of marked content. */
function drawsOutside(content: string): boolean {
  let depth = 0;
  return content.split('\n').some((line) => {
    if (/ B(?:DC|MC)$/.test(line)) depth += 1;
    if (line === 'EMC') depth -= 1;
    return depth === 0 && /(?:^S| T[jJ]| Do)$/.test(line);
  });
}
