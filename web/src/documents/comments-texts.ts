import { inLanguage } from '../language.ts';

const english = {
  title: 'Comments',
  erasedName: 'Erased person',
  erased: 'The text was erased.',
};

const spanish: typeof english = {
  title: 'Comentarios',
  erasedName: 'Persona borrada',
  erased: 'El texto se ha borrado.',
};

export const commentsText = inLanguage(english, spanish);
