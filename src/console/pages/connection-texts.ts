import type { Connection } from '../../esign/connection.ts';
import type { NotConnected } from './not-connected-page.ts';
import type { Language } from './texts.ts';

const english = {
  title: 'Connections',
  vendor: 'E-signature vendor',
  purpose: 'Once it is connected, the envelopes that were completed there can be brought over, as often as you like.',
  statuses: {
    not_connected: 'Not connected',
    connected: 'Connected',
    reconnect_needed: 'It has to be connected again',
  } satisfies Record<Connection['status'] | 'not_connected', string>,
  reconnectText: 'The vendor does not accept the consent any more. Nothing is lost: connect again, and go on.',
  account: 'Account',
  person: 'As',
  since: 'Since',
  by: 'By',
  connect: 'Connect',
  leadsTo: 'You are asked for your consent at',
  disconnect: 'Disconnect',
  disconnectText: 'Disconnecting ends what is being brought over. What was brought over stays.',
  unrevoked:
    'It is disconnected here, but the vendor did not confirm it. To be sure, remove this service from the connected apps in your account there.',
  ownersOnly: 'Only an owner of the company can change this.',
  unavailable:
    'Whoever runs this server has to register it with the vendor first: the settings are ESIGN_CLIENT_ID and ESIGN_CLIENT_SECRET.',
  home: 'To the start page',
  back: 'Back to the connections',
  signIn: 'Sign in',
  notConnected: 'Nothing was connected',
  reasons: {
    signed_out: 'You are not signed in here any more. Sign in, and connect once more.',
    not_asked_for:
      'This answer of the vendor was used already, is older than ten minutes, or was asked for in another browser. Connect once more.',
    other_company:
      'You work for another company by now than when you began. Choose the right one, and connect once more.',
    forbidden: 'Only an owner of the company can connect an account. Ask one to do it.',
    declined: 'You did not give your consent, so nothing was connected. You can connect whenever you like.',
    refused:
      'The vendor did not accept the request. Connect once more; if it fails again, tell whoever runs this server.',
    unavailable: 'The vendor does not answer at the moment. Connect once more in a few minutes.',
    no_account:
      'You have no account at the vendor that can be used here. Sign in there as somebody who has one, and connect once more.',
  } satisfies Record<NotConnected, string>,
};

const spanish: typeof english = {
  title: 'Conexiones',
  vendor: 'Proveedor de firma electrónica',
  purpose: 'Una vez conectado, los sobres que se completaron allí se pueden traer aquí tantas veces como quiera.',
  statuses: {
    not_connected: 'Sin conectar',
    connected: 'Conectado',
    reconnect_needed: 'Hay que volver a conectar',
  },
  reconnectText: 'El proveedor ya no acepta la autorización. No se ha perdido nada: conecte de nuevo y continúe.',
  account: 'Cuenta',
  person: 'Como',
  since: 'Desde',
  by: 'Por',
  connect: 'Conectar',
  leadsTo: 'Se le pedirá su autorización en',
  disconnect: 'Desconectar',
  disconnectText: 'Al desconectar se detiene lo que se esté trayendo. Lo que ya se trajo se queda.',
  unrevoked:
    'Aquí ya está desconectado, pero el proveedor no lo confirmó. Para mayor seguridad, quite este servicio de las aplicaciones conectadas de su cuenta allí.',
  ownersOnly: 'Solo un propietario de la empresa puede cambiar esto.',
  unavailable:
    'Quien administra este servidor debe registrarlo antes con el proveedor: los ajustes son ESIGN_CLIENT_ID y ESIGN_CLIENT_SECRET.',
  home: 'A la página de inicio',
  back: 'Volver a las conexiones',
  signIn: 'Iniciar sesión',
  notConnected: 'No se conectó nada',
  reasons: {
    signed_out: 'Ya no tiene la sesión iniciada aquí. Inicie sesión y conecte de nuevo.',
    not_asked_for:
      'Esta respuesta del proveedor ya se usó, tiene más de diez minutos o se pidió en otro navegador. Conecte de nuevo.',
    other_company: 'Ahora trabaja para otra empresa que cuando empezó. Elija la correcta y conecte de nuevo.',
    forbidden: 'Solo un propietario de la empresa puede conectar una cuenta. Pídaselo a uno.',
    declined: 'No dio su autorización, así que no se conectó nada. Puede conectar cuando quiera.',
    refused:
      'El proveedor no aceptó la petición. Conecte de nuevo; si vuelve a fallar, avise a quien administra este servidor.',
    unavailable: 'El proveedor no responde en este momento. Conecte de nuevo dentro de unos minutos.',
    no_account:
      'No tiene en el proveedor ninguna cuenta que se pueda usar aquí. Entre allí como alguien que la tenga y conecte de nuevo.',
  },
};

/** What the pages of the connections say. */
export const connectionTexts: Record<Language, typeof english> = { en: english, es: spanish };
