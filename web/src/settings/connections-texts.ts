import { inLanguage } from '../language.ts';

const english = {
  vendor: 'E-signature vendor',
  purpose: 'Connect the vendor to import completed envelopes at any time.',
  statuses: {
    not_connected: 'Not connected',
    connected: 'Connected',
    reconnect_needed: 'Reconnect needed',
  },
  reconnectText: 'The vendor revoked access. Nothing is lost. Reconnect to continue.',
  account: 'Account',
  person: 'As',
  since: 'Since',
  by: 'By',
  connect: 'Connect',
  disconnect: 'Disconnect',
  disconnectTitle: 'Disconnect the vendor?',
  disconnectText: 'This stops any running import. Imported documents stay.',
  unrevoked:
    'It is disconnected here, but the vendor did not confirm it. To be sure, remove this service from the connected apps in your account there.',
  ownersOnly: 'Only owners can change this.',
  unavailable:
    'Your administrator must register this server with the vendor first, and set ESIGN_CLIENT_ID and ESIGN_CLIENT_SECRET.',
};

const spanish: typeof english = {
  vendor: 'Proveedor de firma electrónica',
  purpose: 'Conecte el proveedor para importar los sobres completados cuando quiera.',
  statuses: {
    not_connected: 'Sin conectar',
    connected: 'Conectado',
    reconnect_needed: 'Hay que volver a conectar',
  },
  reconnectText: 'El proveedor revocó el acceso. No se ha perdido nada. Vuelva a conectar para continuar.',
  account: 'Cuenta',
  person: 'Como',
  since: 'Desde',
  by: 'Por',
  connect: 'Conectar',
  disconnect: 'Desconectar',
  disconnectTitle: '¿Desconectar el proveedor?',
  disconnectText: 'Se detienen las importaciones en curso. Los documentos importados se conservan.',
  unrevoked:
    'Aquí ya está desconectado, pero el proveedor no lo confirmó. Para mayor seguridad, quite este servicio de las aplicaciones conectadas de su cuenta allí.',
  ownersOnly: 'Solo los propietarios pueden cambiar esto.',
  unavailable:
    'El administrador del servidor debe registrarlo antes con el proveedor y definir ESIGN_CLIENT_ID y ESIGN_CLIENT_SECRET.',
};

export const connectionsText = inLanguage(english, spanish);
