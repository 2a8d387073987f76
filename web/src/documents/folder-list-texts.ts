import { inLanguage } from '../language.ts';

const english = {
  all: 'All folders',
  empty: 'This folder is empty',
  emptyText: 'Move documents here from the list, or create one.',
  emptyTextReadOnly: 'Documents that are moved here will appear.',
  gone: 'This folder doesn’t exist, or you can’t see it.',
  onlyMembers: 'Only members of this folder, owners and admins see these documents.',
  readOnly: 'You can see and download documents in this folder. Ask an owner or admin if you need to change them.',
  newHint: 'Members of the folder will see it.',
};

const spanish: typeof english = {
  all: 'Todas las carpetas',
  empty: 'Esta carpeta está vacía',
  emptyText: 'Mueva aquí documentos desde la lista o cree uno.',
  emptyTextReadOnly: 'Aquí aparecerán los documentos que se muevan a ella.',
  gone: 'Esta carpeta no existe o usted no puede verla.',
  onlyMembers: 'Solo los miembros de esta carpeta, los propietarios y los administradores ven estos documentos.',
  readOnly:
    'Puede ver y descargar los documentos de esta carpeta. Si necesita cambiarlos, pídalo a un propietario o administrador.',
  newHint: 'Lo verán los miembros de la carpeta.',
};

export const folderListText = inLanguage(english, spanish);
