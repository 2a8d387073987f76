import { inLanguage } from '../language.ts';

const english = {
  title: 'Imports',
  start: 'Start migration',
  unlock: 'Also unlock each document',
  unlockHint: 'Makes editable text of its pages, for 1 credit a page. Documents can be unlocked later, too.',
  columns: { source: 'Source', progress: 'Files', by: 'Started by', when: 'When' },
  sources: {
    esign_vendor: 'E-signature vendor',
    cloud_drive: 'Cloud drive',
    cloud_files: 'Cloud file store',
    upload: 'Upload',
  },
  statuses: { running: 'Running', finished: 'Finished' },
  withFailures: 'Finished, some failed',
  byKey: 'API key {name}',
  byUnnamedKey: 'An API key',
  byOperator: 'Operator',
  progress: 'Progress',
  filed: { one: '{n} filed', other: '{n} filed' },
  failed: { one: '{n} failed', other: '{n} failed' },
  remaining: { one: '{n} to go', other: '{n} to go' },
  total: { one: '{n} file', other: '{n} files' },
  listing: 'Looking for envelopes…',
  nothingFound: 'No files found',
  emptyTitle: 'Your first import',
  emptyText:
    'Documents that you have elsewhere come here as an import: PDFs that you drop on this page, what lies with the e-signature vendor you used before, in a cloud drive or a cloud file store. Each file tells what became of it.',
  emptyMigrate:
    'To bring over what was completed at your e-signature vendor, connect it once, and start a migration here.',
  emptyCurl: 'Your programs start imports with an API key. Links to PDFs in a file store, for example:',
  request: 'request',
  connections: 'Connect the vendor in Settings',
};

const spanish: typeof english = {
  title: 'Importaciones',
  start: 'Iniciar migración',
  unlock: 'Desbloquear además cada documento',
  unlockHint:
    'Convierte sus páginas en texto editable, por 1 crédito por página. También se puede desbloquear más tarde.',
  columns: { source: 'Origen', progress: 'Archivos', by: 'Iniciada por', when: 'Cuándo' },
  sources: {
    esign_vendor: 'Proveedor de firma electrónica',
    cloud_drive: 'Unidad en la nube',
    cloud_files: 'Almacén de archivos en la nube',
    upload: 'Subida',
  },
  statuses: { running: 'En curso', finished: 'Terminada' },
  withFailures: 'Terminada, con fallos',
  byKey: 'Clave de API {name}',
  byUnnamedKey: 'Una clave de API',
  byOperator: 'Operador',
  progress: 'Progreso',
  filed: { one: '{n} archivado', other: '{n} archivados' },
  failed: { one: '{n} fallido', other: '{n} fallidos' },
  remaining: { one: '{n} pendiente', other: '{n} pendientes' },
  total: { one: '{n} archivo', other: '{n} archivos' },
  listing: 'Buscando sobres…',
  nothingFound: 'No se ha encontrado nada que traer',
  emptyTitle: 'Su primera importación',
  emptyText:
    'Los documentos que tiene en otro lugar llegan aquí como una importación: los PDF que suelte en esta página, y lo que está en el proveedor de firma electrónica que usaba antes, en una unidad en la nube o en un almacén de archivos. Cada archivo dice qué ha sido de él.',
  emptyMigrate:
    'Para traer lo que se completó en su proveedor de firma electrónica, conéctelo una vez e inicie aquí una migración.',
  emptyCurl: 'Sus programas inician importaciones con una clave de API. Con enlaces a PDF en un almacén, por ejemplo:',
  request: 'petición',
  connections: 'Conecte el proveedor en Ajustes',
};

export const importsText = inLanguage(english, spanish);
