import { inLanguage } from '../language.ts';

const english = {
  intro: 'New documents begin with these values. Each document can have others. Existing documents don’t change.',
  expires: 'Expires after (days)',
  expiresHint: 'For documents created in the console. API clients set it for each document. Leave empty for never.',
  remindersHint: 'For all new documents, those of API clients too.',
  save: 'Save',
  saved: 'Saved.',
};

const spanish: typeof english = {
  intro:
    'Los documentos nuevos empiezan con estos valores. Cada documento puede tener otros. Los documentos existentes no cambian.',
  expires: 'Caduca tras (días)',
  expiresHint:
    'Para los documentos creados en la consola. Los clientes de la API lo indican en cada documento. Vacío significa nunca.',
  remindersHint: 'Para todos los documentos nuevos, también los de los clientes de la API.',
  save: 'Guardar',
  saved: 'Guardado.',
};

export const sendingText = inLanguage(english, spanish);
