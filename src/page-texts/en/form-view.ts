/** Texts of the view of a file's fields as a form. */
export const formViewEnglish = {
  offer: 'You can also fill in your fields as a list.',
  open: 'Fill in as a form',
  invite: 'What you enter here also appears on the pages. Read the document before you sign.',
  read: 'Read the whole document',
  show: 'Show in the document',
  back: 'Back to the form',
  others: 'Filled in by others',
  empty: 'This field is still empty.',
  tick: 'Tick this box.',
  choose: 'Choose an option.',
};
