import { type Html, html } from '../../http/html.ts';

/** Texts of the page on which a recipient names the person who should act instead. */
export const delegationEnglish = {
  link: 'Someone else should sign',
  linkApprover: 'Someone else should approve',
  heading: 'Who should sign instead of you?',
  headingApprover: 'Who should approve instead of you?',
  intro: (sender: Html) =>
    html`The person gets a request of their own, and your link ends. ${sender} sees whom you named. If you are not allowed to decide this, ask ${sender} first.`,
  name: 'Full name',
  email: 'E-mail address',
  phone: 'Phone number',
  phoneHint: 'With the country code, such as +1 202 555 0123.',
  reason: 'Reason',
  reasonHint: 'Optional. The sender sees it.',
  passOn: 'Pass on',
  back: 'Back',
  passedOnTitle: 'Passed on',
  passedOnText:
    'The other person gets a request of their own. You don’t need to do anything else, and you can close this page.',
  problems: {
    invalid_name: 'Enter a full name of up to 120 characters.',
    invalid_email: 'Enter an e-mail address, such as ada@example.com.',
    invalid_phone: 'Enter a phone number with its country code, such as +1 202 555 0123.',
    invalid_reason: 'Enter a reason of up to 1000 characters.',
    same_person: 'This is you. Enter someone else.',
  },
};
