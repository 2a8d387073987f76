import { type Html, html } from '../../http/html.ts';

/** Texts of the page that needs no script. */
export const formEnglish = {
  scriptOff: 'JavaScript is off in this browser.',
  late: 'The controls of this page have not loaded. You can wait for them, or continue without them.',
  without: 'Continue without JavaScript',
  withScript: 'Use the page with JavaScript',
  withScriptHint: 'With JavaScript, you can also draw your signature and fill in fields on the pages.',
  finishWithout: 'Finish without JavaScript',
  problemHeading: 'There is a problem',
  errorTitle: 'Error:',
  fieldsHeading: 'Fields for you to fill in',
  dateHint: 'Year, month and day, for example 2026-03-09. If you leave it empty, today is filled in.',
  placeSignature: 'Tick to place your signature here.',
  placeInitials: 'Tick to place your initials here.',
  initialsHint: 'For the fields that you tick. Up to 10 characters.',
  save: 'Save for later',
  missing: (field: Html) => html`Fill in: ${field}`,
  untick: (field: Html) => html`Tick: ${field}`,
  invalid: (field: Html) => html`Check what you entered: ${field}`,
  saved: 'Saved. You can continue later with the same link.',
  linkNeedsScript: 'The sign-in that the link leads to needs JavaScript.',
  pageAsText: (page: number) => `Page ${page} as text`,
  copyNotReady: 'The sealed PDF is being prepared. That usually takes a few seconds.',
  reload: 'Reload the page',
  tooMany: 'No more can be sent right now. Try again later.',
  refusedTitle: 'What you sent could not be read',
  refusedText: 'Nothing was recorded. Open the form again and send it from there.',
  tooLargeTitle: 'You sent too much at once',
  tooLargeText:
    'Nothing was recorded. Go back with your browser’s back button, shorten the longest texts and send the form again.',
};
