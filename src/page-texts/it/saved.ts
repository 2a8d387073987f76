import type { savedEnglish } from '../en/saved.ts';

/** Texts of the offer to sign with what the recipient saved, and to save. */
export const savedItalian: typeof savedEnglish = {
  tab: 'Salvata',
  signature: 'Usi la sua firma salvata',
  initials: 'Usi le sue iniziali salvate',
  hint: 'La vede solo lei, perché ha effettuato l’accesso. Può cambiarla nel suo account.',
  save: 'Salva per la prossima volta',
  replaces: 'Sostituisce quella che ha salvato.',
  saveHint: 'Può usarla solo lei, finché ha effettuato l’accesso. Può rimuoverla nel suo account.',
};
