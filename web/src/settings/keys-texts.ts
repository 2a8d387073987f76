import { inLanguage } from '../language.ts';

const english = {
  intro: 'With a key, your programs create, send and follow documents. Each is shown once; only its hash is kept.',
  create: 'Create key',
  list: 'API keys of the company',
  columns: { name: 'Name', key: 'Key', scopes: 'May', used: 'Last used', status: 'Status' },
  noName: 'Without a name',
  allScopes: 'everything',
  active: 'Active',
  revoked: 'Revoked',
  expired: 'Expired',
  expires: 'Ends {when}',
  revoke: 'Revoke',
  revokeTitle: 'Revoke this key?',
  revokeText:
    "Requests with {hint} will be refused immediately. You can't undo this. Anything that uses it needs a new key.",
  emptyTitle: 'No keys yet',
  emptyText: 'Start with a test key. It does everything except send e-mail and SMS.',
  developers: 'Try the API with a fresh test key',
  createTitle: 'Create an API key',
  name: 'Name',
  nameHint: 'What will use it, such as “Billing”. It helps to know which key to revoke.',
  mode: 'Mode',
  modes: {
    test: 'Test: no e-mail or SMS is sent',
    live: 'Live: everything is delivered',
  },
  scopes: 'What it may do',
  scopeHints: {
    'documents:read': 'List and read documents',
    'recipients:read': 'Read recipients, with their e-mail addresses and phone numbers',
    'documents:write': 'Create drafts',
    'documents:send': 'Send documents for signature',
    'imports:read': 'List and read imports',
    'imports:write': 'Start imports',
  } as Record<string, string>,
  expiry: 'Ends',
  expiries: { '': 'Never', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' } as Record<string, string>,
  createdTitle: 'Your new key',
  failures: {
    'invalid_input:name': 'Give it a name of 1 to 100 characters.',
    'invalid_input:scopes': 'Choose at least one thing that it may do.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  intro:
    'Con una clave, sus programas crean, envían y siguen documentos. Cada una se muestra una vez; solo se guarda su huella.',
  create: 'Crear clave',
  list: 'Claves de API de la empresa',
  columns: { name: 'Nombre', key: 'Clave', scopes: 'Puede', used: 'Último uso', status: 'Estado' },
  noName: 'Sin nombre',
  allScopes: 'todo',
  active: 'Activa',
  revoked: 'Revocada',
  expired: 'Caducada',
  expires: 'Termina {when}',
  revoke: 'Revocar',
  revokeTitle: '¿Revocar esta clave?',
  revokeText:
    'Las peticiones con {hint} se rechazarán desde la próxima. No se puede deshacer: lo que la use necesitará una clave nueva.',
  emptyTitle: 'Todavía no hay claves',
  emptyText: 'Una clave de prueba lo hace todo y no envía ningún correo ni SMS: es buena para empezar.',
  developers: 'Probar la API con una clave de prueba nueva',
  createTitle: 'Crear una clave de API',
  name: 'Nombre',
  nameHint: 'Lo que la usará, por ejemplo «Facturación». Así sabrá qué clave revocar.',
  mode: 'Modo',
  modes: {
    test: 'Prueba: sin correos ni SMS',
    live: 'Real: todo se entrega',
  },
  scopes: 'Lo que puede hacer',
  scopeHints: {
    'documents:read': 'Listar y leer documentos',
    'recipients:read': 'Leer destinatarios, con sus correos y teléfonos',
    'documents:write': 'Crear borradores',
    'documents:send': 'Enviar documentos a firmar',
    'imports:read': 'Listar y leer importaciones',
    'imports:write': 'Iniciar importaciones',
  },
  expiry: 'Termina',
  expiries: { '': 'Nunca', '30': 'Dentro de 30 días', '90': 'Dentro de 90 días', '365': 'Dentro de un año' },
  createdTitle: 'Su clave nueva',
  failures: {
    'invalid_input:name': 'Dele un nombre de 1 a 100 caracteres.',
    'invalid_input:scopes': 'Elija al menos una cosa que pueda hacer.',
  },
};

export const keysText = inLanguage(english, spanish);
