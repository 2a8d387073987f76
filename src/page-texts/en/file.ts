// cspell:ignore paper

import { type Html, html } from '../../http/html.ts';

/** Texts of pages with an attached file. */
export const fileEnglish = {
  pageOf: (number: number, total: number) => `Page ${number} of ${total}`,
  files: 'Files',
  zoom: 'Zoom',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fieldTypes: {
    signature: 'Signature',
    initials: 'Initials',
    stamp: 'Stamp',
    date: 'Date',
    text: 'Text',
    checkbox: 'Checkbox',
    number: 'Number',
    dropdown: 'List',
    radio: 'Option',
    upload: 'File',
  },
  onPage: (number: number) => `page ${number}`,
  required: 'required',
  optional: 'optional',
  fixed: 'set by the sender',
  signingDay: 'Date of signing',
  calculated: 'calculated',
  textRule: (max: number) => `Enter at most ${max} characters.`,
  formatRules: {
    email: 'Enter an e-mail address, such as ada@example.com.',
    phone: 'Enter a phone number of 5 to 15 digits.',
    digits: 'Enter only digits.',
  },
  patternRule: (example: string) => `Enter it like this: “${example}”.`,
  dateRule: 'Enter a date whose year has four digits.',
  numberRule: (min: string | null, max: string | null, decimals: number | null) => {
    const kind = decimals === 0 ? 'a whole number' : 'a number';
    const from = min === null ? (max === null ? '' : ` of at most ${max}`) : ` of at least ${min}`;
    const range = min === null || max === null ? from : ` from ${min} to ${max}`;
    const places = decimals ? ` with up to ${decimals} decimal ${decimals === 1 ? 'place' : 'places'}` : '';
    return `Enter ${kind}${range}${places}. Use only digits and a decimal point.`;
  },
  unsignedFile: 'Download the unsigned PDF',
  whatIsLeft: 'What is left',

  upload: 'Upload',
  uploadLabel: 'Image file',
  uploadHint: 'A photo or scan on white paper: PNG, JPEG or WebP. It stays on this device until you sign.',
  signatureDialog: 'Your signature',
  placeSignature: 'Place signature',
  initialsDialog: 'Your initials',
  placeInitials: 'Place initials',
  stampDialog: 'Your stamp',
  placeStamp: 'Place stamp',
  fieldFile: 'File',
  fieldFileHint: 'PDF, PNG or JPEG, up to 10 MB. It is kept for you until you sign.',
  done: 'Done',
  initials: 'Initials',
  initialsHint: 'As you write them, up to 10 characters.',
  typedInitialsHint: 'What you typed above is placed as your initials.',
  typedInitialsEmpty: 'Your initials appear here',
  initialsDrawingArea: 'Drawing area for your initials',
  remove: 'Remove',

  handOverHeading: (recipient: Html) => html`Hand the device to ${recipient}`,
  handOverText: (recipient: Html) =>
    html`${recipient} signs this document in person, on this device. It is shown when ${recipient} has begun.`,
  handOverBegin: (recipient: Html) =>
    html`If you are ${recipient}, choose Begin. What is done from then on is recorded as done by you.`,
  begin: 'Begin',
  handBack:
    'You can hand the device back now. Choose Finish first, so that nothing of the document stays on the screen.',
  verifyLink: 'Check whether a sealed PDF is genuine and unaltered',

  filledInBy: (name: Html, time: Html) => html`${name} signed on ${time}:`,
  ticked: 'ticked',
  notTicked: 'not ticked',
  chosen: 'chosen',
  drawn: 'drawn',
  picture: 'picture',

  script: {
    fieldsDone: '{done} of {total} fields',
    nameLeft: 'Your name is left',
    signatureLeft: 'Your signature is left',
    consentLeft: 'Tick the box to agree',
    next: 'Next',
    ready: 'Ready to sign',
    readyApprover: 'Ready to approve',
    fieldMissing: 'One field is left to fill in: {field}.',
    fieldsMissing: '{count} fields are left to fill in. The next is: {field}.',
    saved: 'Saved',
    notSaved: 'Not saved yet: no connection',
    pageOf: 'Page {number} of {total}',
    pageFailed: 'This page could not be loaded.',
    pageWithoutText: 'This page is a picture: it holds no text that could be read aloud.',
    textFailed: 'The text of this page could not be loaded.',
    placed: 'filled in',
    typed: 'You typed: {value}',
    unnamed: 'A number',
    notYet: 'Calculated once these are filled in: {fields}.',
    leftEmpty: 'Can’t be calculated, because these were left empty: {fields}.',
    division: 'Can’t be calculated, because it would divide by zero.',
    tooLarge: 'Can’t be calculated, because the result is too large.',
    fieldsChanged: 'Fields shown: {shown}. Fields hidden: {hidden}.',
    initialsMissing: 'Enter your initials, in up to 10 characters.',
    stampMissing: 'Choose a picture of your stamp.',
    uploadSending: 'Sending the file…',
    uploadReceived: 'Received: {name}',
  },
};
