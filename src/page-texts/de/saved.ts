import type { savedEnglish } from '../en/saved.ts';

/** Texts of the offer to sign with what the recipient saved, and to save. */
export const savedGerman: typeof savedEnglish = {
  tab: 'Gespeichert',
  signature: 'Ihre gespeicherte Unterschrift verwenden',
  initials: 'Ihre gespeicherten Initialen verwenden',
  hint: 'Nur Sie sehen sie, weil Sie angemeldet sind. Ändern können Sie sie in Ihrem Konto.',
  save: 'Für das nächste Mal speichern',
  replaces: 'Ersetzt, was Sie gespeichert haben.',
  saveHint: 'Nur Sie können sie verwenden, solange Sie angemeldet sind. Entfernen können Sie sie in Ihrem Konto.',
};
