import { inLanguage } from '../language.ts';

const english = {
  intro: 'Only owners and admins can see restricted documents. API keys can’t.',
  restrict: 'Restrict a document',
  list: 'Restricted papers',
  columns: { title: 'Title', kind: 'Why', type: 'Type', status: 'Status' },
  emptyTitle: 'No restricted documents',
  emptyText: 'Restrict single documents here, or whole types below. New documents of these types are restricted.',
  restrictTitle: 'Restrict a document',
  restrictText:
    'API keys get 404 for it immediately. You can lift the restriction on the page of the document, and change the reason here.',
  documentId: 'Id of the document',
  documentHint: 'You can find it in the address of the document’s page.',
  typesTitle: 'Types that are always restricted',
  typesText: 'New documents of these types are restricted. Existing documents don’t change.',
  changeTypes: 'Choose types',
  noTypes: 'None',
  changeTypesTitle: 'Types that are always restricted',
  save: 'Save',
  failures: { 'not_found:document_id': 'Your company has no document with this id.' } as Record<string, string>,
};

const spanish: typeof english = {
  intro: 'Solo los propietarios y administradores ven los documentos restringidos. Las claves de API no.',
  restrict: 'Restringir un documento',
  list: 'Documentos restringidos',
  columns: { title: 'Título', kind: 'Motivo', type: 'Tipo', status: 'Estado' },
  emptyTitle: 'No hay documentos restringidos',
  emptyText:
    'Restrinja aquí documentos sueltos o, abajo, tipos enteros. Los documentos nuevos de esos tipos quedan restringidos.',
  restrictTitle: 'Restringir un documento',
  restrictText:
    'Las claves de API reciben 404 de inmediato. La restricción se quita en la página del documento; el motivo se cambia aquí.',
  documentId: 'Identificador del documento',
  documentHint: 'Está en la dirección de la página del documento.',
  typesTitle: 'Tipos siempre restringidos',
  typesText: 'Los documentos nuevos de estos tipos quedan restringidos. Los que ya existen no cambian.',
  changeTypes: 'Elegir tipos',
  noTypes: 'Ninguno',
  changeTypesTitle: 'Tipos siempre restringidos',
  save: 'Guardar',
  failures: { 'not_found:document_id': 'Su empresa no tiene ningún documento con este identificador.' },
};

export const restrictedText = inLanguage(english, spanish);
