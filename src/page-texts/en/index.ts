import { documentTypeNames } from '../../document-types.ts';
import { type Html, html } from '../../http/html.ts';
import { commentsEnglish } from './comments.ts';
import { delegationEnglish } from './delegation.ts';
import { fileEnglish } from './file.ts';
import { formEnglish } from './form.ts';
import { formViewEnglish } from './form-view.ts';
import { linkEnglish } from './link.ts';
import { phoneEnglish } from './phone.ts';
import { savedEnglish } from './saved.ts';

/** The type of the English texts is that of every language, so a missing text is a compile error. */
export const english = {
  /** The language's own name, for the menu. */
  name: 'English',
  /** The label of the menu. */
  language: 'Language',
  /**
   * How numbers are written. People type a comma or a point in all languages, because phones show the decimal sign of their region.
   * `groupsWithSpaces`: whether they may separate thousands with spaces.
   */
  numbers: { hasDecimalComma: false, groupsWithSpaces: false, takesComma: true } as {
    hasDecimalComma: boolean;
    groupsWithSpaces: boolean;
    takesComma?: boolean;
  },
  documentTypes: documentTypeNames.en,

  preview: 'Preview.',
  previewMeaning: 'This is what the recipient will see. Nothing you do here is sent or saved.',
  testMode: 'Test mode.',
  testModeMeaning: 'This document was sent in test mode: no e-mail or text message goes out for it.',
  sentBy: (sender: Html) => html`Sent by ${sender}`,
  messageFrom: (sender: Html) => html`Message from ${sender}`,
  recipients: 'Recipients',
  you: 'You',
  details: 'Details',
  sentAt: 'Sent',
  expiresAt: 'Expires',
  reference: 'Reference',
  personalLink: (recipient: Html) => html`This link is meant for ${recipient} only. Please do not forward it.`,
  personalLinkOfSomebody: 'This link is personal. Please do not forward it.',
  sentWith: 'Sent with Countersign',

  recipientKind: { signer: 'Signer', approver: 'Approver', cc: 'Receives a copy' },
  recipientStatus: {
    signer: { pending: 'Not yet asked', sent: 'Sent', viewed: 'Opened', signed: 'Signed', declined: 'Declined' },
    approver: { pending: 'Not yet asked', sent: 'Sent', viewed: 'Opened', signed: 'Approved', declined: 'Declined' },
    cc: { pending: 'At the end', sent: 'Copy sent', viewed: 'Opened', signed: 'Copy sent', declined: 'Declined' },
  },

  signatureRequested: 'Your signature is requested',
  approvalRequested: 'Your approval is requested',
  start: 'Start',
  signHeading: 'Sign this document',
  approveHeading: 'Approve this document',
  fullName: 'Full name',
  fullNameHint: 'Change it if you sign with another name.',
  signatureStyle: 'Signature',
  type: 'Type',
  draw: 'Draw',
  typedHint: 'Your typed name is your signature.',
  typedEmpty: 'Your name appears here',
  drawingArea: 'Drawing area for your signature',
  drawHint: 'Draw with your finger, a pen or the mouse. If you cannot draw, choose Type.',
  clear: 'Clear',
  signMeaning:
    'By choosing Sign, you agree to sign this document electronically. Your electronic signature is meant to bind you like one by hand. Your name, the time and your IP address are recorded with it.',
  approveMeaning:
    'By choosing Approve, you agree to do so electronically and confirm that you approve this document. Your name, the time and your IP address are recorded with it.',
  signMeaningAsked:
    'Choosing Sign signs this document. Your electronic signature is meant to bind you like one by hand. Your name, the time and your IP address are recorded with it.',
  approveMeaningAsked:
    'Choosing Approve confirms that you approve this document. Your name, the time and your IP address are recorded with it.',
  sign: 'Sign',
  approve: 'Approve',
  decline: 'Decline',
  declineHeading: 'Decline to sign this document?',
  declineHeadingApprover: 'Decline to approve this document?',
  declineMeaning: (sender: Html) =>
    html`This ends the document for everyone: nobody can sign it anymore. ${sender} will see your reason.`,
  reason: 'Reason',
  reasonHint: 'Up to 1000 characters. Only the sender sees it.',
  declineToSign: 'Decline to sign',
  cancel: 'Cancel',

  waitingHeading: 'It is not your turn yet',
  waitingText: (sender: Html) =>
    html`Others have to sign before you. You'll get a message from ${sender} when it's your turn. You can close this page.`,
  codeHeading: "Confirm it's you",
  codeForDocument: (sender: Html) =>
    html`${sender} has sent you this document. To view it, enter the code we send to your phone.`,
  codeForCopy: (sender: Html) =>
    html`This document from ${sender} is complete. To view your copy, enter the code we send to your phone.`,
  codeGoesTo: (number: Html | null) =>
    number === null
      ? html`The code goes to the phone number that the sender gave.`
      : html`The code goes to the phone number ${number}.`,
  numberEnding: (digits: string) => `ending in ${digits}`,
  codeShownHere: 'In test mode no text message is sent: the code is shown here instead.',
  codeWrongNumber: (sender: Html) => html`If this is not your number, ask ${sender} to correct it.`,
  sendCode: 'Send code',
  code: 'Verification code',
  codeHint: 'Six digits, valid for 10 minutes.',
  codeNoCookie:
    'Your browser didn’t keep our cookie, so the document can’t be shown here. Allow cookies for this page.',
  verify: 'Verify',
  needsAccountHeading: 'Sign in to open this document',
  needsAccountText: (sender: Html) =>
    html`${sender} asked that you sign in with your e-mail address before you read this document. You need no account for that: a link proves that the address is yours.`,
  copyNeedsAccountHeading: 'Completed: everyone has signed',
  copyNeedsAccountText: (sender: Html) =>
    html`${sender} asked that you sign in with your e-mail address before you read the completed copy. You need no account for that: a link proves that the address is yours.`,
  linkGoesTo: (address: Html) => html`The link goes to ${address}, works once and leads back to this document.`,
  linkShownHere: 'In test mode no e-mail is sent: the document opens at once.',
  linkWrongAddress: (sender: Html) => html`If this is not your address, ask ${sender} to correct it.`,
  linkNowhere: (sender: Html) => html`${sender} gave no e-mail address for you. Ask them for a new request with one.`,
  sendLink: 'Send sign-in link',
  signInInstead: 'Sign in with a password or a passkey',
  signedHeading: 'You signed this document',
  signedText: (time: Html) => html`Your signature was recorded on ${time}.`,
  approvedHeading: 'You approved this document',
  approvedText: (time: Html) => html`Your approval was recorded on ${time}.`,
  othersNext:
    'There is nothing more for you to do. When everyone has signed, you can download the completed copy from this page.',
  completedHeading: 'Completed: everyone has signed',
  completedText: (time: Html) => html`The document was completed on ${time}.`,
  copyReadyText:
    'The sealed PDF holds the document, the signatures and a certificate of who did what and when. Any later change to it can be detected.',
  downloadCopy: 'Download the sealed PDF',
  copyNotReadyText: 'The sealed PDF is being prepared. That usually takes a few seconds; the link then appears here.',
  copyDelayedText:
    'The sealed PDF takes longer than usual, because the operators of this service have to look at it. Open this page again later.',
  copyErasedText: 'The sealed PDF was erased and can’t be downloaded here anymore.',
  declinedHeading: 'You declined to sign',
  declinedHeadingApprover: 'You declined to approve',
  declinedText: (sender: Html, time: Html) =>
    html`Recorded on ${time}. ${sender} sees your reason. No one can sign this document anymore. If you declined by mistake, contact ${sender}.`,
  yourReason: 'Your reason',
  declinedByOtherHeading: 'This document was declined',
  declinedByOtherText: (sender: Html, time: Html) =>
    html`A recipient declined on ${time}, so nobody can sign it anymore. If you have questions, contact ${sender}.`,
  voidedHeading: 'This document was voided',
  voidedText: (sender: Html) =>
    html`${sender} cancelled it, so it can no longer be signed. If you have questions, contact ${sender}.`,
  voidedReason: 'Reason given',
  expiredHeading: 'This document has expired',
  expiredText: (sender: Html, time: Html) =>
    html`It could be signed until ${time}. If it is still needed, ask ${sender} to send it again.`,
  copyHeading: 'You receive a copy',
  copyText: 'You do not need to sign anything. When everyone has signed, you receive the completed copy.',
  finish: 'Finish',
  finishHint: 'If others use this device, choose Finish: it clears this page.',
  finishHintInPerson: 'Finish clears this page for the next person on this device.',

  signedAs: (name: Html, time: Html) => html`Signed as ${name} on ${time}`,

  unknownLinkTitle: 'This link does not work',
  unknownLinkText: 'It may be incomplete, or it may have been replaced by a newer one.',
  unknownLinkSteps: [
    'Open the newest message about this document and use the link in it.',
    'If you copied the link, check that it is complete: some mail programs break long links in two.',
    'If it still does not work, ask the sender to send the document again.',
  ],
  reassignedLinkTitle: 'This link no longer works',
  reassignedLinkText: (sender: Html) =>
    html`Someone else has been asked to sign the document from ${sender}, so this link has ended.`,
  reassignedLinkSteps: (sender: Html) => [
    html`If you got a newer message about this document, use the link in it.`,
    html`Otherwise you need not do anything. If you have questions, contact ${sender}.`,
  ],
  unknownAddressTitle: 'Page not found',
  unknownAddressText:
    'It may be incomplete or mistyped. If you came to sign something, use the link in the newest message about it.',
  startPage: 'Go to the start page',
  throttledTitle: 'Too many requests',
  throttledText: 'Too many requests come from your network right now. Nothing is lost. Wait a minute, then try again.',
  errorTitle: 'This page cannot be shown right now',
  errorText:
    'The service cannot be reached at the moment. Nothing that was already recorded is lost. Please try again in a minute.',
  tryAgain: 'Try again',

  file: fileEnglish,
  form: formEnglish,
  formView: formViewEnglish,
  delegation: delegationEnglish,
  comments: commentsEnglish,
  saved: savedEnglish,
  link: linkEnglish,
  phone: phoneEnglish,

  script: {
    refusals: {
      preview_only:
        'This is a preview, so nothing was recorded. Once you send the document, the recipient signs or declines it here.',
      already_signed: 'You have already signed this document. Nothing else was recorded.',
      already_declined: 'You have already declined this document. Nothing else was recorded.',
      document_voided: 'The sender voided this document, so nothing was recorded.',
      document_declined: 'Another recipient declined this document, so nothing was recorded.',
      document_expired: 'This document has expired, so nothing was recorded.',
      document_completed: 'This document is already completed. Nothing else was recorded.',
      not_your_turn: 'It is not your turn yet, so nothing was recorded.',
      link_unknown: 'This link no longer works, so nothing was recorded. Reload the page to see why.',
      page_moved: 'This page has a new address, so nothing was recorded. Open it again and enter what is missing.',
      invalid_full_name: 'This name cannot be used. Enter your full name, up to 120 characters.',
      invalid_signature: 'Your signature can’t be seen or read. Draw it again, or choose Type.',
      consent_required: 'Tick the box to agree before you continue.',
      saved_unavailable:
        'Your saved signature was changed or removed, or you are signed out. Reload the page, or make a new signature.',
      invalid_reason: 'Enter a reason of 1 to 1000 characters.',
      fields_missing: 'A field that has to be filled in is empty, so nothing was recorded.',
      file_type_refused: 'This file can’t be used. Choose a PDF, PNG or JPEG file.',
      file_too_large: 'This file is too large. Choose one of up to 10 MB.',
      too_many_uploads: 'You have sent too many files. Try again in an hour.',
      invalid_field: 'The value can’t be used. Check it and try again.',
      verification_required: "Your verification expired, so nothing was recorded. Confirm it's you again.",
      invalid_code:
        'This code does not open the document. Check the newest message, or choose Send code to get a new one.',
      too_many_codes: 'No more codes can be sent right now.',
      code_not_sent:
        'The code could not be sent. Try again; if it fails once more, ask the sender to check the number.',
      too_many_links: 'No more links can be sent right now.',
      link_not_sent:
        'The link could not be sent. Try again; if it fails once more, ask the sender to check the address.',
      temporarily_unavailable:
        'The service cannot be reached right now. What you entered is still here. Please try again.',
    },
    connectionFailed: 'The connection failed. What you entered is still here. Check your connection and try again.',
    somethingFailed: 'Something went wrong. What you entered is still here. Please try again.',
    recording: 'Recording…',
    codeSending: 'Sending the code…',
    codeSent: 'The code is on its way. It can take a minute to arrive.',
    codeShown: 'Test mode: your code is {code}.',
    codeNext: 'Five codes were sent within an hour. You can get the next one {when}.',
    codeChecking: 'Checking the code…',
    linkSending: 'Sending the link…',
    linkSent: 'The link is on its way. It can take a minute to arrive, and it works for 10 minutes.',
    linkNext: 'Five links were sent within an hour. You can get the next one {when}.',
    codeMissing: 'Enter the six digits of the code.',
    nameMissing: 'Enter your full name.',
    reasonMissing: 'Enter a reason.',
    drawingMissing: 'Draw your signature, or choose Type.',
    drawingUnavailable: 'The drawing area could not be loaded. Choose Type, or open Draw again.',
    drawingCleared: 'Drawing cleared.',
    phoneWaiting: 'Waiting for your phone.',
    phoneOpened: 'Your phone is ready. Draw on it.',
    phoneDrawn: 'The drawing from your phone is here.',
    phoneEnded: 'This code has ended. Show a new one.',
    uploadMissing: 'Choose an image, or choose Type.',
    uploadUnreadable: 'This file could not be read as an image. Choose a PNG, JPEG or WebP file.',
    tryAgain: 'Try again',
    showStatus: 'Show current status',
    closedTitle: 'You can close this page',
    closedText: 'You can close this page now. It no longer shows anything of the document.',
    newSignature: 'Someone else has just signed. The page now shows it.',
    handBackText: 'Please hand the device back. It no longer shows anything of the document.',
  },
};
