import { inLanguage } from '../language.ts';

const english = {
  intro:
    'What your programs asked of the API in the last seven days. Bodies are not kept, nor is what stands behind a “?”.',
  list: 'API requests',
  search: 'Part of a path, an error code or a request id',
  status: 'Status',
  everyStatus: 'All statuses',
  statuses: { '2xx': 'Answered (2xx)', '4xx': 'Refused (4xx)', '5xx': 'Failed (5xx)' } as Record<string, string>,
  method: 'Method',
  everyMethod: 'All methods',
  columns: { at: 'When', request: 'Request', status: 'Status', key: 'Key', duration: 'Took', id: 'Request id' },
  emptyTitle: 'No requests in the last seven days',
  emptyText: "Make the first one: the developers' page has a request to paste.",
  developers: "To the developers' page",
  nothingFound: 'No matching requests in the last seven days.',
  searchedTo: 'Looked back to {when}.',
  further: 'Look further back',
  renew: 'Look again',
};

const spanish: typeof english = {
  intro:
    'Lo que sus programas pidieron a la API en los últimos siete días. No se guardan los cuerpos ni lo que va tras un «?».',
  list: 'Peticiones a la API',
  search: 'Parte de una ruta, un código de error o un identificador de petición',
  status: 'Estado',
  everyStatus: 'Todos los estados',
  statuses: { '2xx': 'Respondidas (2xx)', '4xx': 'Rechazadas (4xx)', '5xx': 'Fallidas (5xx)' },
  method: 'Método',
  everyMethod: 'Todos los métodos',
  columns: {
    at: 'Cuándo',
    request: 'Petición',
    status: 'Estado',
    key: 'Clave',
    duration: 'Tardó',
    id: 'Identificador',
  },
  emptyTitle: 'Ninguna petición en los últimos siete días',
  emptyText: 'Haga la primera: la página para desarrolladores tiene una lista para pegar.',
  developers: 'A la página para desarrolladores',
  nothingFound: 'Ninguna petición de los últimos siete días es así.',
  searchedTo: 'Se ha buscado hasta {when}.',
  further: 'Buscar más atrás',
  renew: 'Mirar de nuevo',
};

export const requestsText = inLanguage(english, spanish);
