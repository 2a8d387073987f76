import { type Html, html } from '../../http/html.ts';

/** Texts of the pages of public links. */
export const linkEnglish = {
  from: (sender: Html) => html`From ${sender}`,
  lead: (sender: Html) =>
    html`Enter your name and your e-mail address. We send you a code, so that ${sender} knows that the address is yours. Then you can read and sign the document. You need no account.`,
  name: 'Your full name',
  nameHint: 'As it should be in the document.',
  email: 'Your e-mail address',
  emailHint: 'The code and a link to your document go there.',
  sendCode: 'Send code',
  personal: 'Each person who opens this page signs a document of their own.',
  codeHeading: 'Enter your code',
  codeSent: (address: Html) => html`We sent a code with 6 digits to ${address}.`,
  codeHint: 'It works for 10 minutes. If you don’t see the e-mail, look in your spam folder.',
  code: 'Verification code',
  continue: 'Continue',
  newCode: 'Send a new code',
  otherAddress: 'Use another address',
  sentAgain: 'We sent a new code. Earlier ones don’t work any more.',
  noCookie:
    'Your browser didn’t keep our cookie, so you can’t enter the code that we sent. Allow cookies for this page and ask for a new code.',
  ownTab: 'Or open this page in a tab of its own',
  closed: {
    off: {
      title: 'Not available at the moment',
      text: (sender: Html) => html`Nobody can sign with this link now. Please ask ${sender}.`,
    },
    unavailable: {
      title: 'Not available at the moment',
      text: (sender: Html) => html`Nobody can sign with this link now. Please ask ${sender}.`,
    },
    ended: {
      title: 'This link has ended',
      text: (sender: Html) =>
        html`The time to sign with this link is over. If you still want to sign, please ask ${sender}. If you already have a document, open it with the link in your e-mail.`,
    },
    used_up: {
      title: 'No more places',
      text: (sender: Html) =>
        html`As many people as planned have used this link. If you want to sign too, please ask ${sender}. If you already have a document, open it with the link in your e-mail.`,
    },
  },
  errors: {
    invalid_name: 'Enter your name on one line, with at most 120 characters.',
    invalid_email: 'Enter an e-mail address, such as ada@example.com.',
    invalid_code: 'This code is wrong or doesn’t work any more. After 5 wrong codes, ask for a new one.',
    already_used: (sender: Html) =>
      html`Someone else has been asked to sign the document for this address. If you have questions, contact ${sender}.`,
    too_many: 'There were too many tries. Wait a while and try again.',
    code_not_sent: 'The code could not be sent. Check the address, or try again later.',
    mail_unavailable: 'The code can’t be sent at the moment. Try again in a few minutes.',
  },
};
