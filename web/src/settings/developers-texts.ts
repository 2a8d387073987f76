import { inLanguage } from '../language.ts';

const english = {
  title: 'For developers',
  intro:
    'Your first document through the API, in three steps. A test key does everything, and sends no e-mail and no SMS.',
  keyStep: '1. A key',
  keyText:
    'A fresh test key for trying things out. It ends by itself in 30 days, and you can revoke it in the settings.',
  makeKey: 'Create key',
  keyName: 'Trying the API out',
  keyMade: 'This is your key. Copy it now: it is not shown again, and the request below already holds it.',
  requestStep: '2. A request',
  requestText: 'It makes a draft and sends it. Paste it into a terminal.',
  languages: 'Language of the example',
  example: 'example request',
  eventStep: '3. What happens then',
  waiting: 'Waiting for the first event… Run the request, and it shows up here.',
  arrived: 'It has arrived. This is what a webhook of yours would get:',
  eventBody: 'body of the event',
  earlier: 'The newest events of your company:',
  next: 'From here',
  reference: 'The reference says all that there is',
  openapi: 'The OpenAPI description, for generators of clients',
  webhooks: 'Have events sent to an address of yours',
  requests: 'See what your programs asked, and what they were answered',
  adminsOnly: 'Keys are made by admins and owners of your company. Ask one of them for a key, or read the reference.',
};

const spanish: typeof english = {
  title: 'Para desarrolladores',
  intro:
    'Su primer documento a través de la API, en tres pasos. Una clave de prueba lo hace todo y no envía correos ni SMS.',
  keyStep: '1. Una clave',
  keyText: 'Una clave de prueba nueva para experimentar. Termina sola a los 30 días y se puede revocar en los ajustes.',
  makeKey: 'Crear clave',
  keyName: 'Pruebas con la API',
  keyMade: 'Esta es su clave. Cópiela ahora: no se volverá a mostrar, y la petición de abajo ya la lleva.',
  requestStep: '2. Una petición',
  requestText: 'Crea un borrador y lo envía. Péguela en un terminal.',
  languages: 'Lenguaje del ejemplo',
  example: 'petición de ejemplo',
  eventStep: '3. Lo que ocurre después',
  waiting: 'Esperando el primer evento… Ejecute la petición y aparecerá aquí.',
  arrived: 'Ha llegado. Esto es lo que recibiría un webhook suyo:',
  eventBody: 'cuerpo del evento',
  earlier: 'Los eventos más recientes de su empresa:',
  next: 'A partir de aquí',
  reference: 'La referencia dice todo lo que hay',
  openapi: 'La descripción OpenAPI, para generadores de clientes',
  webhooks: 'Recibir los eventos en una dirección suya',
  requests: 'Ver qué pidieron sus programas y qué se les respondió',
  adminsOnly: 'Las claves las crean los administradores y propietarios de su empresa. Pídales una o lea la referencia.',
};

export const developersText = inLanguage(english, spanish);
