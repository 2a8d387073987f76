import { inLanguage } from '../language.ts';

const english = {
  title: 'Place fields',
  how: 'Choose a recipient and a field type, then click the page to place it. Drag a field to move it, or its corner to resize it. The arrow keys move it too.',
  recipient: 'Who',
  type: 'What',
  types: { signature: 'Signature', initials: 'Initials', date: 'Date', text: 'Text', checkbox: 'Checkbox' },
  add: 'Add to page {n}',
  page: 'Page {n} of {all}',
  field: '{type} of {name}, page {page}',
  selected: 'Selected field',
  none: 'Select a field to change it.',
  required: 'Required',
  private: 'Hide from other recipients',
  privateHint: 'The others don’t see it while they sign. The sealed PDF shows it.',
  label: 'Label',
  labelHint: 'Shown to the person who fills it in.',
  remove: 'Remove field',
  reload: 'Load the latest version',
  save: 'Save fields',
  unsaved: 'Leave without saving the fields?',
  notEditable: 'You can only place fields on a draft. While it’s in review, only owners and admins can.',
  noSigners: 'Add recipients before you place fields.',
  noFile: 'Attach a PDF before you place fields.',
  edit: 'Edit the recipients',
  open: 'Open the document',
  failures: {
    refused: 'The fields couldn’t be saved. Move or remove fields that extend past the edge of a page.',
    invalid_input: 'The fields couldn’t be saved. Move or remove fields that extend past the edge of a page.',
    changed_meanwhile:
      'Someone else changed this document, so your fields weren’t saved. They are still here. Review the latest version, then save again to replace it.',
  },
};

const spanish: typeof english = {
  title: 'Colocar campos',
  how: 'Elija un destinatario y un tipo de campo, y haga clic en la página para colocarlo. Arrastre un campo para moverlo, o su esquina para cambiar el tamaño. También puede moverlo con las flechas.',
  recipient: 'Quién',
  type: 'Qué',
  types: { signature: 'Firma', initials: 'Iniciales', date: 'Fecha', text: 'Texto', checkbox: 'Casilla' },
  add: 'Añadir a la página {n}',
  page: 'Página {n} de {all}',
  field: '{type} de {name}, página {page}',
  selected: 'Campo seleccionado',
  none: 'Seleccione un campo para cambiarlo.',
  required: 'Obligatorio',
  private: 'Ocultar a los demás destinatarios',
  privateHint: 'Los demás no lo ven mientras firman. El PDF sellado lo muestra.',
  label: 'Etiqueta',
  labelHint: 'La verá quien rellene el campo.',
  remove: 'Quitar campo',
  reload: 'Cargar la última versión',
  save: 'Guardar campos',
  unsaved: '¿Salir sin guardar los campos?',
  notEditable:
    'Solo puede colocar campos en un borrador. Mientras está en revisión, solo propietarios y administradores.',
  noSigners: 'Añada destinatarios antes de colocar campos.',
  noFile: 'Adjunte un PDF antes de colocar campos.',
  edit: 'Editar destinatarios',
  open: 'Abrir el documento',
  failures: {
    refused: 'No se pudieron guardar los campos. Mueva o quite los que sobresalgan de una página.',
    invalid_input: 'No se pudieron guardar los campos. Mueva o quite los que sobresalgan de una página.',
    changed_meanwhile:
      'Otra persona cambió este documento, así que no se guardaron sus campos. Siguen aquí. Revise la última versión y guarde de nuevo para sustituirla.',
  },
};

export const fieldsText = inLanguage(english, spanish);
