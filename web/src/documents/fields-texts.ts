import { inLanguage } from '../language.ts';

const english = {
  title: 'Place fields',
  how: 'Choose who fills something in and what, then click where it belongs. Drag a field to move it, its corner to resize it; the arrow keys move it, too.',
  party: 'Who',
  type: 'What',
  types: { signature: 'Signature', initials: 'Initials', date: 'Date', text: 'Text', checkbox: 'Checkbox' },
  add: 'Add to page {n}',
  page: 'Page {n} of {all}',
  field: '{type} of {name}, page {page}',
  selected: 'Selected field',
  none: 'Select a field to change it.',
  required: 'Must be filled in',
  label: 'Label',
  labelHint: 'Shown to the one who fills it in.',
  remove: 'Remove field',
  reload: 'Load the document as it is now',
  save: 'Save fields',
  unsaved: 'Leave without saving the fields?',
  notEditable: 'Fields are placed on a draft, and on what is in review only by owners and admins.',
  noSigners: 'Nobody on this document fills anything in yet. Add the parties first.',
  noFile: 'This document has no PDF to place fields on. Attach one on its page.',
  edit: 'Edit the parties',
  open: 'Open the document',
  failures: {
    refused: 'The fields could not be saved as they are. Remove those that reach over the edge of a page.',
    invalid_input: 'The fields could not be saved as they are. Remove those that reach over the edge of a page.',
    changed_meanwhile:
      'Somebody changed this document meanwhile, so nothing was saved. Your fields are still here: look at the document as it is now, and save once more, in place of fields that others have placed.',
  },
};

const spanish: typeof english = {
  title: 'Colocar campos',
  how: 'Elija quién rellena algo y qué, y pulse donde deba ir. Arrastre un campo para moverlo, o su esquina para cambiar su tamaño; las flechas también lo mueven.',
  party: 'Quién',
  type: 'Qué',
  types: { signature: 'Firma', initials: 'Iniciales', date: 'Fecha', text: 'Texto', checkbox: 'Casilla' },
  add: 'Añadir a la página {n}',
  page: 'Página {n} de {all}',
  field: '{type} de {name}, página {page}',
  selected: 'Campo elegido',
  none: 'Elija un campo para cambiarlo.',
  required: 'Debe rellenarse',
  label: 'Etiqueta',
  labelHint: 'La ve quien lo rellena.',
  remove: 'Quitar campo',
  reload: 'Cargar el documento como es ahora',
  save: 'Guardar campos',
  unsaved: '¿Salir sin guardar los campos?',
  notEditable:
    'Los campos se colocan en un borrador, y en lo que está en revisión solo por propietarios y administradores.',
  noSigners: 'Nadie rellena nada en este documento todavía. Añada antes las partes.',
  noFile: 'Este documento no tiene un PDF en el que colocar campos. Adjunte uno en su página.',
  edit: 'Editar las partes',
  open: 'Abrir el documento',
  failures: {
    refused: 'Los campos no se pudieron guardar así. Quite los que sobresalgan de una página.',
    invalid_input: 'Los campos no se pudieron guardar así. Quite los que sobresalgan de una página.',
    changed_meanwhile:
      'Alguien cambió este documento entretanto, así que no se guardó nada. Sus campos siguen aquí: mire el documento como es ahora y guarde otra vez, en lugar de los campos que otros hayan colocado.',
  },
};

export const fieldsText = inLanguage(english, spanish);
