import { inLanguage } from '../language.ts';

const english = {
  intro: 'Bodies and query parameters are not stored. Requests are kept for {days} days.',
  list: 'API requests',
  search: 'Part of a path, an error code or a request id',
  status: 'Status',
  everyStatus: 'All statuses',
  statuses: { '2xx': 'Succeeded (2xx)', '4xx': 'Refused (4xx)', '5xx': 'Failed (5xx)' } as Record<string, string>,
  method: 'Method',
  everyMethod: 'All methods',
  columns: { at: 'When', request: 'Request', status: 'Status', key: 'Key', duration: 'Duration', id: 'Request id' },
  emptyTitle: 'No requests yet',
  emptyText: 'The developers’ page has a first request to copy.',
  developers: 'Go to the developers’ page',
  nothingFound: 'No matching requests.',
  searchedTo: 'Searched back to {when}.',
  further: 'Search further back',
  renew: 'Refresh',
  replayed: 'Replayed',
  replayOf: 'Replayed: show request {id}',
};

const spanish: typeof english = {
  intro: 'No se guardan los cuerpos ni los parámetros de consulta. Las solicitudes se conservan {days} días.',
  list: 'Solicitudes a la API',
  search: 'Parte de una ruta, un código de error o un identificador de solicitud',
  status: 'Estado',
  everyStatus: 'Todos los estados',
  statuses: { '2xx': 'Correctas (2xx)', '4xx': 'Rechazadas (4xx)', '5xx': 'Fallidas (5xx)' },
  method: 'Método',
  everyMethod: 'Todos los métodos',
  columns: {
    at: 'Cuándo',
    request: 'Solicitud',
    status: 'Estado',
    key: 'Clave',
    duration: 'Duración',
    id: 'Identificador',
  },
  emptyTitle: 'Aún no hay solicitudes',
  emptyText: 'La página para desarrolladores tiene una primera solicitud para copiar.',
  developers: 'Ir a la página para desarrolladores',
  nothingFound: 'No hay solicitudes que coincidan.',
  searchedTo: 'Se buscó hasta {when}.',
  further: 'Buscar más atrás',
  renew: 'Actualizar',
  replayed: 'Repetida',
  replayOf: 'Repetida: ver la solicitud {id}',
};

export const requestsText = inLanguage(english, spanish);
