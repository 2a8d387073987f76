import type { PageLanguage } from '../../../page-texts/texts.ts';
import type { Language } from '../../../platform/language.ts';
import { currentDisclosure, disclosureVersion } from '../../disclosure.ts';
import type {
  AttachedFile,
  LockedPageView,
  PageBrand,
  PageField,
  PageRecipient,
  ShownSigner,
  SigningPageView,
  SigningState,
} from '../signing-page.ts';

/** Our own look. */
export const noPageBrand: PageBrand = { logo: null, stylesheet: null };

const at = (day: number, hour = 15) => new Date(Date.UTC(2026, 2, day, hour, 20));

export const states: Record<string, SigningState> = {
  open: { kind: 'open' },
  waiting: { kind: 'waiting' },
  signed: { kind: 'signed', at: at(12) },
  approved: { kind: 'approved', at: at(12) },
  completed: { kind: 'completed', at: at(13), copy: 'ready' },
  'completed, copy being sealed': { kind: 'completed', at: at(13), copy: 'preparing' },
  'completed, copy delayed': { kind: 'completed', at: at(13), copy: 'delayed' },
  'completed, copy erased': { kind: 'completed', at: at(13), copy: 'erased' },
  'declined by the recipient': {
    kind: 'declined',
    at: at(12),
    bySelf: true,
    reason: 'The retention in section 4 is not what we agreed on.\nPlease send a corrected version.',
  },
  'declined by another': { kind: 'declined', at: at(12), bySelf: false, reason: null },
  voided: { kind: 'voided', reason: 'Replaced by a corrected version.' },
  expired: { kind: 'expired', at: at(20) },
  copy: { kind: 'copy' },
};

/** The states in which a recipient who has yet to give a code or to sign in can find a document. */
export const lockedStates: Record<string, SigningState> = {
  needs_code: { kind: 'needs_code', opens: 'document' },
  'needs_code for the copy': { kind: 'needs_code', opens: 'copy' },
  needs_account: { kind: 'needs_account', opens: 'document' },
  'needs_account for the copy': { kind: 'needs_account', opens: 'copy' },
  'locked, waiting': { kind: 'waiting' },
  'locked, signed': { kind: 'signed', at: at(12) },
  'locked, declined': { kind: 'declined', at: at(12), bySelf: true, reason: null },
  'locked, voided': { kind: 'voided', reason: null },
  'locked, expired': { kind: 'expired', at: at(20) },
};

const message = `Hello Maria,

attached to this request is the subcontract for the re-roofing of Building C, as discussed on Tuesday. Work starts on April 6; the retention is 5 % until final acceptance.

Please sign by Friday, so that we can order the material.

Kind regards,
Dana Whitfield`;

const recipients: PageRecipient[] = [
  {
    name: 'Dana Whitfield',
    role: 'Contractor',
    kind: 'signer',
    status: 'signed',
    at: at(10),
    isSelf: false,
    signed: null,
  },
  {
    name: 'Maria López Herrera',
    role: 'Subcontractor',
    kind: 'signer',
    status: 'viewed',
    at: at(11),
    isSelf: true,
    signed: null,
  },
  { name: 'Theo Brandt', role: 'approver', kind: 'approver', status: 'pending', at: null, isSelf: false, signed: null },
  { name: 'Records office', role: 'cc', kind: 'cc', status: 'pending', at: null, isSelf: false, signed: null },
];

/** A page as it usually looks; a test changes what it is about. */
export function sampleView(changes: Partial<SigningPageView> = {}): SigningPageView {
  const documentLanguage = changes.documentLanguage ?? documentLanguageFor(changes.language);
  return {
    language: 'en',
    documentLanguage,
    address: '/sign/sample-token_0123456789',
    isPreview: false,
    accountName: 'Whitfield Roofing & Sons',
    brand: noPageBrand,
    testMode: false,
    isVerified: false,
    document: {
      id: '019cdd2e-8a31-7c55-9f0e-2f64c7a1b9d3',
      title: 'Subcontract for the re-roofing of Building C',
      type: 'contract',
      message,
      sentAt: at(9),
      expiresAt: at(20),
    },
    recipients,
    recipient: { name: 'Maria López Herrera', kind: 'signer' },
    file: null,
    shown: { sha256: '0'.repeat(64), signers: [], isLive: false },
    handOver: false,
    isInPerson: false,
    disclosure: { version: disclosureVersion, ...currentDisclosure(documentLanguage) },
    consentStatement: null,
    mayDelegate: false,
    mayComment: false,
    state: { kind: 'open' },
    ...changes,
  };
}

/** A page in another language than a document can have is about an English one. */
function documentLanguageFor(language: PageLanguage = 'en'): Language {
  return language === 'es' ? 'es' : 'en';
}

export function sampleLockedView(changes: Partial<LockedPageView> = {}): LockedPageView {
  const { language, address, isPreview, accountName, brand, testMode, document } = sampleView();
  return {
    language,
    documentLanguage: documentLanguageFor(changes.language),
    address,
    isPreview,
    accountName,
    brand,
    testMode,
    title: document.title,
    code: { phoneEnding: '42', isShown: false },
    account: changes.state?.kind === 'needs_account' ? { address: 'm…@example.com', isShown: false } : null,
    state: { kind: 'needs_code', opens: 'document' },
    ...changes,
  };
}

/** The properties of a field that has none of the optional ones. */
export const noRules = {
  ...{ isFixed: false, numberRules: null, options: null, group: null, position: 0, condition: null },
  calculation: null,
};

const field = (id: string, type: PageField['type'], place: number[], changes: Partial<PageField> = {}): PageField => {
  const [page = 1, x = 0, y = 0, width = 0, height = 0] = place;
  const required = type !== 'checkbox';
  return { id: `f-${id}`, type, page, x, y, width, height, required, ...noRules, label: null, value: null, ...changes };
};

/** One field of each kind over two pages, out of order, as a sender may place them. */
export const sampleFields: PageField[] = [
  field('signature', 'signature', [2, 72, 600, 190, 44]),
  field('date', 'date', [2, 330, 618, 110, 22]),
  field('initials', 'initials', [1, 500, 740, 48, 24]),
  field('company', 'text', [1, 72, 560, 220, 20], { label: 'Company' }),
  field('retention', 'checkbox', [1, 72, 610, 12, 12], { label: 'I have read section 4' }),
];

const line = (id: string, type: PageField['type'], y: number, changes: Partial<PageField> = {}): PageField =>
  field(id, type, [1, 72, y, 160, 20], { id, required: true, label: id, ...changes });
const numberRules = { number_min: '0.5', number_max: '1000', decimals: 2 };

/** Numbers, a drop-down list, and values of the sender. */
export const valueFields: PageField[] = [
  line('Contract', 'text', 100, { isFixed: true, value: 'C-1843 <b>' }),
  line('Agreed', 'checkbox', 150, { isFixed: true, value: 'true', width: 20 }),
  line('Price', 'number', 200, { numberRules, value: '12.50' }),
  line('Count', 'number', 250, { numberRules: { number_min: '-5', number_max: null, decimals: 0 }, required: false }),
  line('Rhythm', 'dropdown', 300, { options: ['Monthly', 'Yearly & more'] }),
  line('Fee', 'number', 350, { isFixed: true, numberRules, value: '7.00' }),
];

/** A field for one line, and one for several below it. */
export const textFields: PageField[] = [
  line('City', 'text', 100, { value: 'Chicago' }),
  line('Address', 'text', 150, { height: 60 }),
];

/** Texts with a format, of which one is tall. */
export const formattedFields: PageField[] = [
  line('Plate', 'text', 100, { textFormat: 'AA-9999', height: 60 }),
  line('Mobile', 'text', 200, { textFormat: 'phone', required: false }),
  line('Customer', 'text', 250, { textFormat: '99999', required: false }),
];

/** A result that lacks a number of someone else, and one that lacks a number of the recipient. */
export const calculatedFields: PageField[] = [
  line('Rate', 'number', 200, { numberRules, required: false, position: 200 }),
  line('Per day', 'number', 250, {
    numberRules,
    position: 250,
    calculation: { formula: '{200} / {9}', others: { 9: { value: null, name: 'Days' } }, result: null },
  }),
  line('Price', 'number', 300, {
    numberRules,
    position: 300,
    calculation: { formula: '{200} * 2', others: {}, result: null },
  }),
];

const button = (label: string, group: string, y: number): PageField =>
  line(label, 'radio', y, { group, width: 20, position: y });
const ifTrue = (position: number) => ({ condition: { position, value: 'true' } });

/** Radio buttons, and fields that depend on others: in a chain, and on each kind of field. */
export const choiceFields: PageField[] = [
  button('By bank', 'Payment', 400),
  button('In cash', 'Payment', 450),
  line('Account', 'text', 500, ifTrue(400)),
  line('Dog', 'checkbox', 550, { position: 550, required: false, width: 20 }),
  line('Size', 'dropdown', 600, { position: 600, options: ['Small', 'Large'], ...ifTrue(550) }),
  line('Breed', 'text', 650, { condition: { position: 600, value: 'Large' } }),
  line('Fence', 'text', 700, { isFixed: true, value: 'A fence is needed', ...ifTrue(550) }),
];

const letter = { width: 612, height: 792 };

export function sampleFile(changes: Partial<AttachedFile> & { pageCount?: number } = {}): AttachedFile {
  const { pageCount = 3, ...rest } = changes;
  return {
    name: 'subcontract-building-c.pdf',
    part: 'pages',
    pages: Array.from({ length: pageCount }, () => letter),
    fields: sampleFields,
    ...rest,
  };
}

/** What Dana, who signed before, filled in on the first two pages of the file, and a signature that is on no page. */
export function sampleSigner(changes: Partial<ShownSigner> = {}): ShownSigner {
  const place = (page: number, x: number, y: number, width: number, height: number) => ({ page, x, y, width, height });
  const text = { type: 'text' as const, label: 'Price', mark: null };
  return {
    recipientId: 'r-dana',
    name: 'Dana Whitfield',
    signedAs: 'Dana M. Whitfield',
    at: at(10),
    isSelf: false,
    signature: null,
    fields: [
      { ...place(1, 330, 560, 220, 20), ...text, value: '48,500 dollars' },
      { ...place(1, 330, 610, 12, 12), type: 'checkbox', label: null, mark: null, value: 'true' },
      {
        ...place(2, 72, 680, 190, 44),
        ...{ type: 'signature', label: null, value: 'true', mark: { kind: 'typed', text: 'Dana M. Whitfield' } },
      },
    ],
    ...changes,
  };
}

const unbroken = 'https://example.com/'.concat('averylongpathsegment'.repeat(12));

/** Everything a sender could put into text fields to break out of them or to break the layout. */
export function hostileView(): SigningPageView {
  const attack = `"><script>window.hacked=1</script><img src=x onerror="window.hacked=1">`;
  const view = sampleView();
  return {
    ...view,
    accountName: `</title><script>window.hacked=1</script> & "Söhne" ${'W'.repeat(80)}`,
    testMode: true,
    document: {
      ...view.document,
      type: 'constructor',
      title: `${attack} ‮desrever‬ ${'Z̸̢̛͓͈͉̟͖̱̣̈́̂̀̉̑͌͝'.repeat(8)} ${'x'.repeat(70)}`,
      message: `${attack}\n${unbroken}\n\n‮txet‬ مرحبا بالعالم hello\n👩‍👩‍👧‍👦${'🏗️'.repeat(60)}\n</p></section></main>{{7*7}}\${7*7}\tend`,
    },
    recipients: [
      { ...recipient('حسن عبد الرحمن بن يوسف'), role: 'مقاول' },
      { ...recipient(attack), role: attack, status: 'signed' },
      { ...recipient('n'.repeat(120)), role: 'r'.repeat(60), status: 'declined' },
      { ...recipient(`‮gnp.eman ${'👨‍🔧'.repeat(20)}`), kind: 'cc' },
    ],
    recipient: { name: `</bdi><script>window.hacked=1</script>‮${'m'.repeat(90)}`, kind: 'signer' },
  };
}

function recipient(name: string): PageRecipient {
  return { name, role: null, kind: 'signer', status: 'sent', at: at(9), isSelf: false, signed: null };
}
