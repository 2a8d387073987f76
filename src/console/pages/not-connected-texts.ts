import type { ConnectingFailure } from '../../esign/complete-connecting.ts';
import type { Language } from '../../world/language.ts';

export type NotConnected = ConnectingFailure | 'signed_out';

const english = {
  title: 'Nothing was connected',
  back: 'Back to the connections',
  signIn: 'Sign in',
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
  title: 'No se conectó nada',
  back: 'Volver a las conexiones',
  signIn: 'Iniciar sesión',
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

/** Why coming back from the vendor connected nothing. */
export const notConnectedTexts: Record<Language, typeof english> = { en: english, es: spanish };
