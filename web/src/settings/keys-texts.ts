import { inLanguage } from '../language.ts';

const english = {
  intro: 'Your programs use a key to create, send and track documents. A key is shown once. We store only its hash.',
  create: 'Create key',
  list: 'API keys of the company',
  columns: { name: 'Name', key: 'Key', scopes: 'Permissions', used: 'Last used', status: 'Status' },
  noName: 'Without a name',
  allScopes: 'everything',
  active: 'Active',
  revoked: 'Revoked',
  expired: 'Expired',
  expires: 'Expires {when}',
  revoke: 'Revoke',
  revokeTitle: 'Revoke this key?',
  revokeText:
    'Requests with {hint} will be refused immediately. You can’t undo this. Anything that uses it needs a new key.',
  emptyTitle: 'No keys yet',
  emptyText: 'Start with a test key. It does everything except send e-mail and SMS.',
  developers: 'Try the API with a new test key',
  createTitle: 'Create an API key',
  name: 'Name',
  nameHint: 'For example, the program that uses it: “Billing”.',
  mode: 'Mode',
  modes: {
    test: 'Test: no e-mail or SMS is sent',
    live: 'Live: everything is delivered',
  },
  scopes: 'Permissions',
  scopeHints: {
    'documents:read': 'List and read documents',
    'recipients:read': 'Read recipients, with their e-mail addresses and phone numbers',
    'documents:write': 'Create drafts',
    'documents:send': 'Send documents for signature',
    'imports:read': 'List and read imports',
    'imports:write': 'Start imports',
  } as Record<string, string>,
  expiry: 'Expires',
  expiries: { '': 'Never', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' } as Record<string, string>,
  createdTitle: 'Your new key',
  failures: {
    'invalid_input:name': 'Give it a name of 1 to 100 characters.',
    'invalid_input:scopes': 'Choose at least one permission.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  intro:
    'Sus programas usan una clave para crear, enviar y seguir documentos. Una clave se muestra una vez. Solo guardamos su hash.',
  create: 'Crear clave',
  list: 'Claves de API de la empresa',
  columns: { name: 'Nombre', key: 'Clave', scopes: 'Permisos', used: 'Último uso', status: 'Estado' },
  noName: 'Sin nombre',
  allScopes: 'todo',
  active: 'Activa',
  revoked: 'Revocada',
  expired: 'Caducada',
  expires: 'Caduca {when}',
  revoke: 'Revocar',
  revokeTitle: '¿Revocar esta clave?',
  revokeText:
    'Las solicitudes con {hint} se rechazarán de inmediato. Esta acción no se puede deshacer. Los programas que la usan necesitarán una clave nueva.',
  emptyTitle: 'Todavía no hay claves',
  emptyText: 'Empiece con una clave de prueba. Lo hace todo, salvo enviar correos y SMS.',
  developers: 'Probar la API con una clave de prueba nueva',
  createTitle: 'Crear una clave de API',
  name: 'Nombre',
  nameHint: 'Por ejemplo, el programa que la usa: «Facturación».',
  mode: 'Modo',
  modes: {
    test: 'Prueba: sin correos ni SMS',
    live: 'Real: todo se entrega',
  },
  scopes: 'Permisos',
  scopeHints: {
    'documents:read': 'Listar y leer documentos',
    'recipients:read': 'Leer destinatarios, con sus correos y teléfonos',
    'documents:write': 'Crear borradores',
    'documents:send': 'Enviar documentos a firmar',
    'imports:read': 'Listar y leer importaciones',
    'imports:write': 'Iniciar importaciones',
  },
  expiry: 'Caduca',
  expiries: { '': 'Nunca', '30': 'Dentro de 30 días', '90': 'Dentro de 90 días', '365': 'Dentro de un año' },
  createdTitle: 'Su clave nueva',
  failures: {
    'invalid_input:name': 'Dele un nombre de 1 a 100 caracteres.',
    'invalid_input:scopes': 'Elija al menos un permiso.',
  },
};

export const keysText = inLanguage(english, spanish);
