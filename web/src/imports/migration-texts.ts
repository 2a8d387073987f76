import { inLanguage } from '../language.ts';

const english = {
  title: 'Start migration',
  text: 'What was completed at {vendor} comes over with its subject, recipients, dates and PDF. What is here already is not brought over twice.',
  yourVendor: 'your e-signature vendor',
  earliest: 'Earliest date of completion',
  earliestHint: 'Leave empty to import everything.',
  start: 'Start migration',
  connectTitle: 'Connect the vendor first',
  connectText:
    'A migration brings over what was completed at your e-signature vendor. For that an owner connects it once.',
  reconnectText: 'The vendor revoked access. Ask an owner to reconnect it.',
  toConnections: 'Go to Connections',
  failures: {
    import_already_running: 'A migration is running already. Wait until it is finished, and start the next one then.',
    esign_not_connected: 'The vendor is not connected, or not any more. Connect it under Settings, Connections.',
    invalid_earliest: 'Enter a valid date, or leave it empty to import everything.',
  },
};

const spanish: typeof english = {
  title: 'Iniciar migración',
  text: 'Lo que se completó en {vendor} llega con su asunto, destinatarios, fechas y PDF. Lo que ya está aquí no se trae dos veces.',
  yourVendor: 'su proveedor de firma electrónica',
  earliest: 'Completados desde',
  earliestHint: 'Déjelo vacío para traerlo todo.',
  start: 'Iniciar migración',
  connectTitle: 'Conecte primero el proveedor',
  connectText:
    'Una migración trae lo que se completó en su proveedor de firma electrónica. Para ello, un propietario lo conecta una vez.',
  reconnectText: 'El proveedor ya no acepta la autorización. Un propietario debe conectarlo de nuevo.',
  toConnections: 'Ir a Conexiones',
  failures: {
    import_already_running: 'Ya hay una migración en curso. Espere a que termine e inicie entonces la siguiente.',
    esign_not_connected: 'El proveedor no está conectado, o ya no lo está. Conéctelo en Ajustes, Conexiones.',
    invalid_earliest: 'Esto no es una fecha. Elija una, o déjelo vacío para traerlo todo.',
  },
};

export const migrationText = inLanguage(english, spanish);
