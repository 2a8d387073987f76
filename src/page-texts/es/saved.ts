import type { savedEnglish } from '../en/saved.ts';

/** Texts of the offer to sign with what the recipient saved, and to save. */
export const savedSpanish: typeof savedEnglish = {
  tab: 'Guardada',
  signature: 'Use su firma guardada',
  initials: 'Use sus iniciales guardadas',
  hint: 'Solo la ve usted, porque ha iniciado sesión. Puede cambiarla en Su cuenta.',
  save: 'Guardar para la próxima vez',
  replaces: 'Sustituye a la que tiene guardada.',
  saveHint: 'Solo usted puede usarla, con la sesión iniciada. Puede quitarla en Su cuenta.',
};
