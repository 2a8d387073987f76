import { kindNames } from '../../../src/message-log/message-words.ts';
import { inLanguage, language } from '../language.ts';

const english = {
  intro: 'E-mails and text messages about your documents. “Accepted” means that the mail server took the message.',
  list: 'Messages',
  state: 'State',
  everyState: 'All states',
  kind: 'Message',
  everyKind: 'All messages',
  address: 'E-mail address or phone number',
  from: 'From',
  to: 'To',
  columns: { at: 'Queued', what: 'Message', to: 'To', document: 'Document', state: 'State' },
  member: 'Member',
  noAddress: 'Address erased or not stored',
  ofDocument: 'Only messages about one document.',
  allDocuments: 'Show all documents',
  exports: { csv: 'Export as CSV', json: 'Export as JSON lines' },
  emptyTitle: 'No messages yet',
  emptyText: 'Messages appear here when a document is sent.',
  nothingFound: 'No matching messages.',
  searchedTo: 'Searched back to {when}.',
  further: 'Search further back',
  renew: 'Refresh',
};

const spanish: typeof english = {
  intro:
    'Correos y mensajes de texto sobre sus documentos. «Aceptado» significa que el servidor de correo recibió el mensaje.',
  list: 'Mensajes',
  state: 'Estado',
  everyState: 'Todos los estados',
  kind: 'Mensaje',
  everyKind: 'Todos los mensajes',
  address: 'Correo o número de teléfono',
  from: 'Desde',
  to: 'Hasta',
  columns: { at: 'En cola', what: 'Mensaje', to: 'Para', document: 'Documento', state: 'Estado' },
  member: 'Miembro',
  noAddress: 'Dirección borrada o no guardada',
  ofDocument: 'Solo mensajes sobre un documento.',
  allDocuments: 'Mostrar todos los documentos',
  exports: { csv: 'Exportar como CSV', json: 'Exportar como líneas JSON' },
  emptyTitle: 'Aún no hay mensajes',
  emptyText: 'Los mensajes aparecen aquí cuando se envía un documento.',
  nothingFound: 'Ningún mensaje coincide.',
  searchedTo: 'Se ha buscado hasta {when}.',
  further: 'Buscar más atrás',
  renew: 'Actualizar',
};

export const messagesText = inLanguage(english, spanish);

export const messageKinds = kindNames[language];
