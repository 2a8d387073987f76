import { inLanguage } from '../language.ts';

const english = {
  send: 'Send',
  edit: 'Edit',
  previewAsSigner: 'Preview',
  attach: 'Attach PDF',
  replace: 'Replace PDF',
  files: 'Files',
  placeFields: 'Place fields',
  copy: 'Copy',
  saveAsTemplate: 'Save as template',
  more: 'More actions for this document',
  remind: 'Remind',
  voidDocument: 'Void document',
  download: 'Download PDF',
  downloadOriginal: 'Original file',
  certificate: 'Complete certificate',
  reassign: 'Reassign',
  signNow: 'Sign now',
  approveNow: 'Approve now',
  inPerson: 'Sign here in person',
  signFailures: { refused: 'You can’t sign this document any more. Reload the page.' },
};

const spanish: typeof english = {
  send: 'Enviar',
  edit: 'Editar',
  previewAsSigner: 'Vista previa',
  attach: 'Adjuntar PDF',
  replace: 'Cambiar PDF',
  files: 'Archivos',
  placeFields: 'Colocar campos',
  copy: 'Copiar',
  saveAsTemplate: 'Guardar como plantilla',
  more: 'Más acciones con este documento',
  remind: 'Recordar',
  voidDocument: 'Anular documento',
  download: 'Descargar PDF',
  downloadOriginal: 'Archivo original',
  certificate: 'Certificado completo',
  reassign: 'Reasignar',
  signNow: 'Firmar ahora',
  approveNow: 'Aprobar ahora',
  inPerson: 'Firmar aquí en persona',
  signFailures: { refused: 'Ya no puede firmar este documento. Vuelva a cargar la página.' },
};

export const actionText = inLanguage(english, spanish);
