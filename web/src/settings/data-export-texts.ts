import { inLanguage } from '../language.ts';

const english = {
  intro:
    'Download everything that we store for your company as one ZIP file: documents, signed PDFs, audit trails, logs and settings. You can read it without this service.',
  request: 'Export data',
  requestTitle: 'Export all data',
  requestText: [
    'The export includes restricted documents, so only owners can create and download one.',
    'It can take a while. You can leave this page: we’ll e-mail you when the export is ready. It is kept for 7 days.',
  ],
  list: 'Data exports',
  columns: { at: 'Requested', by: 'By', state: 'Status' },
  erased: 'Erased person',
  emptyTitle: 'No data exports',
  emptyText: 'Exports that owners create are here for 7 days.',
  states: { pending: 'Waiting', running: 'In progress', ready: 'Ready', failed: 'Failed' },
  progress: '{done} of {total} files',
  until: 'Available until {when}',
  missing: {
    one: '{n} file is missing or damaged. manifest.json lists it.',
    other: '{n} files are missing or damaged. manifest.json lists them.',
  },
  reasons: {
    failed: 'Something went wrong. Try again. If it fails again, contact your administrator.',
    no_space: 'The server has too little free disk space. Contact your administrator.',
    too_large: 'The export would be larger than 64 GiB. Ask your administrator to create it on the server.',
  },
  download: 'Download',
  cancel: 'Cancel',
  remove: 'Delete',
  cancelling: {
    title: 'Cancel the export?',
    text: 'Nothing of it is kept. You can start a new one at any time.',
    action: 'Cancel the export',
  },
  deleting: {
    title: 'Delete the export?',
    text: 'The ZIP file is deleted. Your data stays as it is.',
    action: 'Delete the export',
  },
  failures: {
    data_export_running: 'An export is already being created. Wait until it is ready, or cancel it.',
    too_many_data_exports: 'Your company has 3 exports. Delete one first.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  intro:
    'Descargue en un archivo ZIP todo lo que guardamos de su empresa: documentos, PDF firmados, registros de auditoría, otros registros y ajustes. Puede leerlo sin este servicio.',
  request: 'Exportar datos',
  requestTitle: 'Exportar todos los datos',
  requestText: [
    'La exportación incluye los documentos restringidos, así que solo los propietarios pueden crearla y descargarla.',
    'Puede tardar. No hace falta que espere en esta página: le enviaremos un correo cuando esté lista. Se conserva 7 días.',
  ],
  list: 'Exportaciones de datos',
  columns: { at: 'Solicitada', by: 'Por', state: 'Estado' },
  erased: 'Persona borrada',
  emptyTitle: 'No hay exportaciones de datos',
  emptyText: 'Las exportaciones que creen los propietarios están aquí durante 7 días.',
  states: { pending: 'En espera', running: 'En curso', ready: 'Lista', failed: 'Fallida' },
  progress: '{done} de {total} archivos',
  until: 'Disponible hasta el {when}',
  missing: {
    one: 'Falta o está dañado {n} archivo. Aparece en manifest.json.',
    other: 'Faltan o están dañados {n} archivos. Aparecen en manifest.json.',
  },
  reasons: {
    failed: 'Algo salió mal. Inténtelo de nuevo. Si vuelve a fallar, avise a su administrador.',
    no_space: 'El servidor tiene poco espacio libre en el disco. Avise a su administrador.',
    too_large: 'La exportación superaría los 64 GiB. Pida a su administrador que la cree en el servidor.',
  },
  download: 'Descargar',
  cancel: 'Cancelar',
  remove: 'Eliminar',
  cancelling: {
    title: '¿Cancelar la exportación?',
    text: 'No se conserva nada de ella. Puede empezar otra cuando quiera.',
    action: 'Cancelar la exportación',
  },
  deleting: {
    title: '¿Eliminar la exportación?',
    text: 'Se elimina el archivo ZIP. Sus datos no cambian.',
    action: 'Eliminar la exportación',
  },
  failures: {
    data_export_running: 'Ya se está creando una exportación. Espere a que esté lista o cancélela.',
    too_many_data_exports: 'Su empresa tiene 3 exportaciones. Elimine una antes.',
  },
};

export const dataExportText = inLanguage(english, spanish);
