import { inLanguage } from '../language.ts';

const english = {
  title: 'Imports',
  start: 'Import from vendor',
  unlock: 'Also unlock each document',
  unlockHint: 'Makes the text of its pages editable, for 1 credit a page. You can also unlock documents later.',
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
  filed: { one: '{n} imported', other: '{n} imported' },
  failed: { one: '{n} failed', other: '{n} failed' },
  remaining: { one: '{n} remaining', other: '{n} remaining' },
  total: { one: '{n} file', other: '{n} files' },
  listing: 'Looking for envelopes…',
  nothingFound: 'No files found',
  emptyTitle: 'Your first import',
  emptyText:
    'Import documents from elsewhere: drop PDFs on this page, or import from your previous e-signature vendor, a cloud drive or a cloud file store. You see the outcome of each file.',
  emptyMigrate:
    'To import completed envelopes from your e-signature vendor, connect it once and start the import here.',
  emptyCurl: 'Or start an import with an API key, for example from links to PDFs in a file store:',
  request: 'request',
  connections: 'Connect the vendor in Settings',
};

const spanish: typeof english = {
  title: 'Importaciones',
  start: 'Importar del proveedor',
  unlock: 'Desbloquear también cada documento',
  unlockHint:
    'Hace editable el texto de sus páginas, por 1 crédito por página. También puede desbloquear documentos más tarde.',
  columns: { source: 'Origen', progress: 'Archivos', by: 'Iniciada por', when: 'Cuándo' },
  sources: {
    esign_vendor: 'Proveedor de firma electrónica',
    cloud_drive: 'Unidad en la nube',
    cloud_files: 'Almacén de archivos en la nube',
    upload: 'Carga',
  },
  statuses: { running: 'En curso', finished: 'Terminada' },
  withFailures: 'Terminada, con fallos',
  byKey: 'Clave de API {name}',
  byUnnamedKey: 'Una clave de API',
  byOperator: 'Operador',
  progress: 'Progreso',
  filed: { one: '{n} importado', other: '{n} importados' },
  failed: { one: '{n} fallido', other: '{n} fallidos' },
  remaining: { one: '{n} pendiente', other: '{n} pendientes' },
  total: { one: '{n} archivo', other: '{n} archivos' },
  listing: 'Buscando sobres…',
  nothingFound: 'No se encontraron archivos',
  emptyTitle: 'Su primera importación',
  emptyText:
    'Importe documentos de otros lugares: suelte archivos PDF en esta página, o importe desde su proveedor de firma electrónica anterior, una unidad en la nube o un almacén de archivos. Verá el resultado de cada archivo.',
  emptyMigrate:
    'Para importar los sobres completados de su proveedor de firma electrónica, conéctelo una vez e inicie la importación aquí.',
  emptyCurl: 'O inicie una importación con una clave de API, por ejemplo con enlaces a archivos PDF de un almacén:',
  request: 'solicitud',
  connections: 'Conecte el proveedor en Ajustes',
};

export const importsText = inLanguage(english, spanish);
