import { inLanguage } from '../language.ts';

const english = {
  once: 'Copy it now: it won’t be shown again.',
  saved: 'I have saved it',
};

const spanish: typeof english = {
  once: 'Cópielo ahora: no se volverá a mostrar.',
  saved: 'Ya lo he guardado',
};

export const shownOnceText = inLanguage(english, spanish);
