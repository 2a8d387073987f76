import { inLanguage } from '../language.ts';

const english = {
  title: 'Documents',
  new: 'New document',
  search: 'Search by title, name or e-mail',
  status: 'Status',
  everyStatus: 'Every status',
  reviews: { one: 'One document waits for your review', other: '{n} documents wait for your review' },
  manyReviews: 'More than 99 documents wait for your review',
  columns: { title: 'Title', parties: 'Parties', status: 'Status', updated: 'Last change' },
  signed: '{signed} of {all} signed',
  others: { one: '{names} and {n} more', other: '{names} and {n} more' },
  noParties: 'No parties yet',
  searching: 'Searching older documents…',
  nothingFound: 'No document matches',
  nothingFoundText: 'Search looks at titles, and at the names and addresses of the parties.',
  clear: 'Clear search',
  emptyTitle: 'Your first document',
  emptyText:
    'Documents that your programs create and send appear here, and change as people sign. Create one with an API key:',
  emptyKey: 'Replace svc_live_… by a key of yours.',
  keys: 'API keys are under Settings',
  request: 'request',
};

const spanish: typeof english = {
  title: 'Documentos',
  new: 'Nuevo documento',
  search: 'Buscar por título, nombre o correo',
  status: 'Estado',
  everyStatus: 'Todos los estados',
  reviews: { one: 'Un documento espera su revisión', other: '{n} documentos esperan su revisión' },
  manyReviews: 'Más de 99 documentos esperan su revisión',
  columns: { title: 'Título', parties: 'Partes', status: 'Estado', updated: 'Último cambio' },
  signed: '{signed} de {all} firmados',
  others: { one: '{names} y {n} más', other: '{names} y {n} más' },
  noParties: 'Aún sin partes',
  searching: 'Buscando en documentos anteriores…',
  nothingFound: 'Ningún documento coincide',
  nothingFoundText: 'La búsqueda mira los títulos, y los nombres y direcciones de las partes.',
  clear: 'Borrar la búsqueda',
  emptyTitle: 'Su primer documento',
  emptyText:
    'Los documentos que creen y envíen sus programas aparecen aquí y cambian a medida que se firman. Cree uno con una clave de API:',
  emptyKey: 'Sustituya svc_live_… por una clave suya.',
  keys: 'Las claves de API están en Ajustes',
  request: 'petición',
};

export const documentsText = inLanguage(english, spanish);
