import { inLanguage } from '../language.ts';

const english = {
  title: 'Templates',
  new: 'New template',
  search: 'Search by title or role',
  columns: { title: 'Title', recipients: 'Recipients', updated: 'Last change' },
  use: 'Use template',
  sendInBulk: 'Send in bulk',
  publicLinks: 'Public links',
  useOf: 'Use template: {title}',
  emptyTitle: 'Reuse a document',
  emptyText: 'A template has a PDF, fields and roles such as Tenant and Landlord. Add people to send it.',
  emptyHow: 'Create one here, or open a draft and choose “Save as template” under “More”.',
  nothingFound: 'No matching templates',
  nothingFoundText: 'Search covers titles, and recipients’ names and roles.',
  clear: 'Clear search',
  create: 'Create template',
  createHint: 'Next, you can place fields on its PDF.',
  back: 'All templates',
  backToTemplate: 'Back to the template',
  edit: 'Edit',
  duplicate: 'Duplicate',
  delete: 'Delete template',
  deleteTitle: 'Delete this template?',
  deleteText:
    'The template and its PDF are deleted. Its public links stop working, and a running bulk send ends. Documents created from it don’t change.',
  recipients: 'Recipients',
  named: 'Named when it is used',
  noRecipients: 'No recipients yet. You can add them when you use the template.',
  saveTitle: 'Save as a template?',
  saveText:
    'Creates a template with this title, PDF, fields and recipients. The draft doesn’t change. In the template, you can use roles such as Tenant instead of people.',
  useTitle: 'New document from a template',
  useHint: 'Nothing is sent yet. You can review the draft first.',
  notUsable: 'You can only view this template. Editors of its folder can use it.',
  open: 'Open the template',
  file: 'PDF of the template',
  fileHint: '{pages}, {fields}. Fields are copied too.',
  pages: { one: 'A page', other: '{n} pages' },
  fields: { one: 'one field', other: '{n} fields' },
  failures: {
    use: {
      changed_meanwhile:
        'Someone else changed this template. The form now has these changes, and what you entered is still here. Check it, then choose “Use template” again.',
      not_found: 'This template was deleted.',
      formula_unfit:
        'A calculated field of the template uses a number of someone who would no longer sign before its own recipient. Keep the recipients of the template and their order.',
    },
    save: { refused: 'This document was already sent.' },
    delete: { not_found: 'This template was already deleted.' },
  },
};

const spanish: typeof english = {
  title: 'Plantillas',
  new: 'Nueva plantilla',
  search: 'Buscar por título o función',
  columns: { title: 'Título', recipients: 'Destinatarios', updated: 'Último cambio' },
  use: 'Usar plantilla',
  sendInBulk: 'Enviar a muchos',
  publicLinks: 'Enlaces públicos',
  useOf: 'Usar plantilla: {title}',
  emptyTitle: 'Reutilice un documento',
  emptyText:
    'Una plantilla tiene un PDF, campos y funciones como Inquilino y Propietario. Añada personas para enviarla.',
  emptyHow: 'Cree una aquí, o abra un borrador y elija «Guardar como plantilla» en «Más».',
  nothingFound: 'No hay plantillas que coincidan',
  nothingFoundText: 'La búsqueda incluye los títulos y los nombres y funciones de los destinatarios.',
  clear: 'Borrar la búsqueda',
  create: 'Crear plantilla',
  createHint: 'Después puede colocar campos en su PDF.',
  back: 'Todas las plantillas',
  backToTemplate: 'Volver a la plantilla',
  edit: 'Editar',
  duplicate: 'Duplicar',
  delete: 'Eliminar plantilla',
  deleteTitle: '¿Eliminar esta plantilla?',
  deleteText:
    'Se eliminan la plantilla y su PDF. Sus enlaces públicos dejan de funcionar y termina el envío a muchos que esté en curso. Los documentos creados a partir de ella no cambian.',
  recipients: 'Destinatarios',
  named: 'Se indica al usarla',
  noRecipients: 'Sin destinatarios. Puede añadirlos al usar la plantilla.',
  saveTitle: '¿Guardar como plantilla?',
  saveText:
    'Se crea una plantilla con este título, PDF, campos y destinatarios. El borrador no cambia. En la plantilla puede usar funciones, como Inquilino, en lugar de personas.',
  useTitle: 'Documento nuevo a partir de una plantilla',
  useHint: 'Aún no se envía nada. Antes puede revisar el borrador.',
  notUsable: 'Solo puede ver esta plantilla. Pueden usarla los editores de su carpeta.',
  open: 'Abrir la plantilla',
  file: 'PDF de la plantilla',
  fileHint: '{pages}, {fields}. Los campos también se copian.',
  pages: { one: 'Una página', other: '{n} páginas' },
  fields: { one: 'un campo', other: '{n} campos' },
  failures: {
    use: {
      changed_meanwhile:
        'Otra persona cambió esta plantilla. El formulario ya tiene esos cambios y conserva lo que usted escribió. Revíselo y vuelva a elegir «Usar plantilla».',
      not_found: 'Esta plantilla se eliminó.',
      formula_unfit:
        'Un campo calculado de la plantilla usa un número de alguien que ya no firmaría antes que su propio destinatario. Conserve los destinatarios de la plantilla y su orden.',
    },
    save: { refused: 'Este documento ya se envió.' },
    delete: { not_found: 'Esta plantilla ya se eliminó.' },
  },
};

export const templatesText = inLanguage(english, spanish);
