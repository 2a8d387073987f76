import type { savedEnglish } from '../en/saved.ts';

/** Texts of the offer to sign with what the recipient saved, and to save. */
export const savedPortuguese: typeof savedEnglish = {
  tab: 'Guardada',
  signature: 'Usar a sua assinatura guardada',
  initials: 'Usar as suas iniciais guardadas',
  hint: 'Só é visível para si, porque tem sessão iniciada. Pode alterá-la na sua conta.',
  save: 'Guardar para a próxima vez',
  replaces: 'Substitui a que tem guardada.',
  saveHint: 'Só você a pode usar, enquanto tiver sessão iniciada. Pode removê-la na sua conta.',
};
