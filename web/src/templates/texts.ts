import { inLanguage } from '../language.ts';

const english = {
  title: 'Templates',
  new: 'New template',
  search: 'Search by title or role',
  columns: { title: 'Title', recipients: 'Recipients', updated: 'Last change' },
  use: 'Use template',
  useOf: 'Use template: {title}',
  emptyTitle: 'Write it once, send it often',
  emptyText: 'A template has a PDF, fields and roles such as Tenant and Landlord. Add people to send it.',
  emptyHow: 'Make one here, or open a draft and choose “Save as template” under “More”.',
  nothingFound: 'No matching templates',
  nothingFoundText: "Search covers titles, and recipients' names and roles.",
  clear: 'Clear search',
  create: 'Create template',
  createHint: 'You see it first, and place fields on its PDF.',
  back: 'All templates',
  edit: 'Edit',
  delete: 'Delete template',
  deleteTitle: 'Delete this template?',
  deleteText: "The template and its PDF are deleted. Documents created from it don't change.",
  recipients: 'Recipients',
  named: 'Named when it is used',
  noRecipients: 'No recipients yet. You can add them when you use the template.',
  save: 'Save as template',
  saveTitle: 'Save as a template?',
  saveText:
    "Creates a template with this title, PDF, fields and recipients. The draft doesn't change. In the template, you can use roles such as Tenant instead of people.",
  useTitle: 'New document from a template',
  useHint: 'Nothing is sent yet. You see the draft first.',
  file: 'PDF of the template',
  fileHint: '{pages}, {fields}. They are copied with it.',
  pages: { one: 'A page', other: '{n} pages' },
  fields: { one: 'one field', other: '{n} fields' },
  failures: {
    use: {
      changed_meanwhile: 'Someone else changed this template. Reload to use the latest version.',
      not_found: 'This template was deleted.',
    },
    save: { refused: 'This document was sent meanwhile.' },
    delete: { not_found: 'This template was deleted already.' },
  },
};

const spanish: typeof english = {
  title: 'Plantillas',
  new: 'Nueva plantilla',
  search: 'Buscar por título o función',
  columns: { title: 'Título', recipients: 'Destinatarios', updated: 'Último cambio' },
  use: 'Usar plantilla',
  useOf: 'Usar plantilla: {title}',
  emptyTitle: 'Escríbalo una vez, envíelo muchas',
  emptyText:
    'Una plantilla es un documento con su PDF, sus campos y las funciones de quienes firman, como Inquilino y Propietario. Para enviarlo solo hay que decir quiénes son.',
  emptyHow: 'Cree una aquí, o abra un borrador y elija «Guardar como plantilla» en «Más».',
  nothingFound: 'Ninguna plantilla coincide',
  nothingFoundText: 'La búsqueda incluye los títulos y los nombres y funciones de los destinatarios.',
  clear: 'Borrar la búsqueda',
  create: 'Crear plantilla',
  createHint: 'Primero la verá y colocará campos en su PDF.',
  back: 'Todas las plantillas',
  edit: 'Editar',
  delete: 'Eliminar plantilla',
  deleteTitle: '¿Eliminar esta plantilla?',
  deleteText:
    'Nadie podrá usarla ya, y su PDF se va con ella. Los documentos que se hicieron con ella se quedan como están.',
  recipients: 'Destinatarios',
  named: 'Se indica al usarla',
  noRecipients: 'Sin destinatarios. Puede añadirlos al usar la plantilla.',
  save: 'Guardar como plantilla',
  saveTitle: '¿Guardar como plantilla?',
  saveText:
    'Se crea una plantilla con este título, PDF, campos y destinatarios. El borrador no cambia. En la plantilla puede usar funciones, como Inquilino, en lugar de personas.',
  useTitle: 'Documento nuevo a partir de una plantilla',
  useHint: 'Aún no se envía nada. Primero verá el borrador.',
  file: 'PDF de la plantilla',
  fileHint: '{pages}, {fields}. Se copian con ella.',
  pages: { one: 'Una página', other: '{n} páginas' },
  fields: { one: 'un campo', other: '{n} campos' },
  failures: {
    use: {
      changed_meanwhile:
        'Alguien cambió la plantilla entretanto. Vuelva a cargar la página para partir de lo que es ahora.',
      not_found: 'Esta plantilla se eliminó entretanto.',
    },
    save: { refused: 'Este documento se envió entretanto.' },
    delete: { not_found: 'Esta plantilla ya se eliminó.' },
  },
};

export const templatesText = inLanguage(english, spanish);
