import { inLanguage } from '../language.ts';

const english = {
  folder: 'Folder',
  none: 'No folder',
  noneHint: 'No folder (everyone)',
  open: '{name} (everyone)',
  readOnlyOne: 'You can see and download this document. You can’t change it.',
  move: 'Move to folder…',
};

const spanish: typeof english = {
  folder: 'Carpeta',
  none: 'Sin carpeta',
  noneHint: 'Sin carpeta (todos)',
  open: '{name} (todos)',
  readOnlyOne: 'Puede ver y descargar este documento. No puede cambiarlo.',
  move: 'Mover a una carpeta…',
};

export const folderText = inLanguage(english, spanish);
