import { inLanguage } from '../language.ts';

const english = {
  title: 'Import from vendor',
  text: 'Imports completed envelopes from {vendor} with their subject, recipients, dates and PDF. Envelopes that are already here are not imported twice.',
  yourVendor: 'your e-signature vendor',
  earliest: 'Completed since',
  earliestHint: 'Leave empty to import everything.',
  start: 'Import from vendor',
  connectTitle: 'Connect the vendor first',
  connectText: 'This imports completed envelopes from your e-signature vendor. An owner has to connect it once.',
  reconnectText: 'The vendor revoked access. Ask an owner to reconnect it.',
  toConnections: 'Go to Connections',
  failures: {
    import_already_running: 'A vendor import is already running. Wait until it has finished.',
    esign_not_connected: 'The vendor isn’t connected. Connect it under Settings, Connections.',
    invalid_earliest: 'Enter a valid date, or leave it empty to import everything.',
  },
};

const spanish: typeof english = {
  title: 'Importar del proveedor',
  text: 'Importa los sobres completados de {vendor} con su asunto, destinatarios, fechas y PDF. Los que ya están aquí no se importan dos veces.',
  yourVendor: 'su proveedor de firma electrónica',
  earliest: 'Completados desde',
  earliestHint: 'Déjelo vacío para importarlo todo.',
  start: 'Importar del proveedor',
  connectTitle: 'Conecte primero el proveedor',
  connectText:
    'Aquí se importan los sobres completados de su proveedor de firma electrónica. Un propietario debe conectarlo una vez.',
  reconnectText: 'El proveedor revocó el acceso. Pida a un propietario que vuelva a conectarlo.',
  toConnections: 'Ir a Conexiones',
  failures: {
    import_already_running: 'Ya hay una importación del proveedor en curso. Espere a que termine.',
    esign_not_connected: 'El proveedor no está conectado. Conéctelo en Ajustes, Conexiones.',
    invalid_earliest: 'Escriba una fecha válida o déjelo vacío para importarlo todo.',
  },
};

export const vendorImportText = inLanguage(english, spanish);
