import { inLanguage } from '../language.ts';

const english = {
  intro: "Only owners and admins can see restricted papers. API keys can't.",
  restrict: 'Restrict a document',
  list: 'Restricted papers',
  columns: { title: 'Title', kind: 'Why', type: 'Type', status: 'Status' },
  emptyTitle: 'No restricted papers',
  emptyText:
    'Restrict single documents here, or whole types below: what is made of them from then on is restricted at once.',
  restrictTitle: 'Restrict a document',
  restrictText:
    'API keys answer 404 for it from the next request on. Its own page lifts that again; why can be corrected here.',
  documentId: 'Id of the document',
  documentHint: "You can find it in the address of the document's page.",
  typesTitle: 'Types that are always restricted',
  typesText: 'What is made of these types from now on is a restricted paper. What is there already stays as it is.',
  changeTypes: 'Choose types',
  noTypes: 'None',
  changeTypesTitle: 'Types that are always restricted',
  save: 'Save',
  failures: { 'not_found:document_id': 'Your company has no document with this id.' } as Record<string, string>,
};

const spanish: typeof english = {
  intro:
    'Un documento restringido es delicado: ninguna clave de API lo ve, y aquí solo lo ven propietarios y administradores.',
  restrict: 'Restringir un documento',
  list: 'Documentos restringidos',
  columns: { title: 'Título', kind: 'Motivo', type: 'Tipo', status: 'Estado' },
  emptyTitle: 'No hay documentos restringidos',
  emptyText:
    'Restrinja aquí documentos sueltos o, abajo, tipos enteros: lo que se cree de ellos quedará restringido enseguida.',
  restrictTitle: 'Restringir un documento',
  restrictText:
    'Las claves de API responden 404 desde la próxima petición. Se levanta en su propia página; el motivo se corrige aquí.',
  documentId: 'Identificador del documento',
  documentHint: 'Está en la dirección de su página.',
  typesTitle: 'Tipos siempre restringidos',
  typesText:
    'Lo que se cree de estos tipos desde ahora será un documento restringido. Lo que ya existe queda como está.',
  changeTypes: 'Elegir tipos',
  noTypes: 'Ninguno',
  changeTypesTitle: 'Tipos siempre restringidos',
  save: 'Guardar',
  failures: { 'not_found:document_id': 'Su empresa no tiene ningún documento con este identificador.' },
};

export const restrictedText = inLanguage(english, spanish);
