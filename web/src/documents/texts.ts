import { inLanguage } from '../language.ts';

const english = {
  title: 'Documents',
  new: 'New document',
  search: 'Search by title, name or e-mail',
  status: 'Status',
  everyStatus: 'All statuses',
  reviews: { one: 'Due for review (1)', other: 'Due for review ({n})' },
  manyReviews: 'Due for review (99+)',
  columns: { title: 'Title', recipients: 'Recipients', status: 'Status', updated: 'Last change' },
  signed: '{signed} of {all} signed',
  others: { one: '{names} and {n} more', other: '{names} and {n} more' },
  noRecipients: 'No recipients yet',
  searching: 'Searching older documents…',
  nothingFound: 'No matching documents',
  nothingFoundText: 'Search covers titles, and recipients’ names and addresses.',
  clear: 'Clear search',
  emptyTitle: 'Your first document',
  emptyText: 'Documents that you create and send through the API appear here. Create one with an API key:',
  emptyKey: 'Replace svc_live_… with your API key.',
  keys: 'API keys are under Settings',
  request: 'request',
};

const spanish: typeof english = {
  title: 'Documentos',
  new: 'Nuevo documento',
  search: 'Buscar por título, nombre o correo',
  status: 'Estado',
  everyStatus: 'Todos los estados',
  reviews: { one: 'Por revisar (1)', other: 'Por revisar ({n})' },
  manyReviews: 'Por revisar (99+)',
  columns: { title: 'Título', recipients: 'Destinatarios', status: 'Estado', updated: 'Último cambio' },
  signed: '{signed} de {all} firmados',
  others: { one: '{names} y {n} más', other: '{names} y {n} más' },
  noRecipients: 'Sin destinatarios',
  searching: 'Buscando en documentos anteriores…',
  nothingFound: 'No hay documentos que coincidan',
  nothingFoundText: 'La búsqueda incluye los títulos, y los nombres y direcciones de los destinatarios.',
  clear: 'Borrar la búsqueda',
  emptyTitle: 'Su primer documento',
  emptyText: 'Los documentos que cree y envíe con la API aparecen aquí. Cree uno con una clave de API:',
  emptyKey: 'Sustituya svc_live_… por su clave de API.',
  keys: 'Las claves de API están en Ajustes',
  request: 'solicitud',
};

export const documentsText = inLanguage(english, spanish);
