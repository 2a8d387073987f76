/** Texts of the offer to sign with what the recipient saved, and to save. */
export const savedEnglish = {
  tab: 'Saved',
  signature: 'Use your saved signature',
  initials: 'Use your saved initials',
  hint: 'Only you see it, because you are signed in. You can change it in Your account.',
  save: 'Save for next time',
  replaces: 'It replaces the one that you have saved.',
  saveHint: 'Only you can use it, while you are signed in. You can remove it in Your account.',
};
