import { type Html, html } from '../../http/html.ts';

/** Texts of the page on which a recipient writes to the sender. */
export const commentsEnglish = {
  link: 'Ask the sender a question',
  heading: 'Write to the sender',
  intro: (sender: Html) =>
    html`Ask a question or write a comment. ${sender} gets it and can answer you. This is not part of the document: you can still sign or decline it afterwards.`,
  label: 'Your comment',
  hint: 'Up to 2000 characters.',
  send: 'Send',
  back: 'Back',
  sent: 'Sent. You can close this page, or go back to the document.',
  own: 'What you wrote',
  problems: {
    invalid_comment: 'Write a comment of 1 to 2000 characters, without control characters.',
    too_many_comments:
      'This document has as many comments as it can have. Answer the message with which you got it, or contact the sender.',
    too_often: 'You have sent many comments. Wait an hour, then try again.',
  },
};
