import type { ConnectingFailure } from '../../../esign/complete-connecting.ts';
import type { Language } from '../../../platform/language.ts';

export type NotConnected = ConnectingFailure | 'signed_out';

const english = {
  title: 'Nothing was connected',
  back: 'Back to the connections',
  signIn: 'Sign in',
  reasons: {
    signed_out: 'You are no longer signed in. Sign in and connect again.',
    not_asked_for:
      'This answer from the vendor was already used, is older than ten minutes, or belongs to another browser. Connect again.',
    other_company: 'You switched to another company in the meantime. Choose the right one and connect again.',
    forbidden: 'Only owners can connect an account. Ask an owner of your company.',
    declined: 'You didn’t give consent, so nothing was connected. You can connect at any time.',
    refused:
      'The vendor did not accept the request. Connect again. If it fails again, contact the operator of this server.',
    unavailable: 'The vendor isn’t responding. Connect again in a few minutes.',
    no_account:
      'You have no account with the vendor that can be used here. Sign in there as a user who has one and connect again.',
  } satisfies Record<NotConnected, string>,
};

const spanish: typeof english = {
  title: 'No se conectó nada',
  back: 'Volver a las conexiones',
  signIn: 'Iniciar sesión',
  reasons: {
    signed_out: 'Su sesión ha terminado. Inicie sesión y vuelva a conectar.',
    not_asked_for:
      'Esta respuesta del proveedor ya se usó, tiene más de diez minutos o es de otro navegador. Vuelva a conectar.',
    other_company: 'Entretanto cambió de empresa. Elija la correcta y vuelva a conectar.',
    forbidden: 'Solo los propietarios pueden conectar una cuenta. Pídaselo a un propietario de su empresa.',
    declined: 'No dio su autorización, así que no se conectó nada. Puede conectar cuando quiera.',
    refused:
      'El proveedor no aceptó la solicitud. Vuelva a conectar. Si falla otra vez, avise al administrador de este servidor.',
    unavailable: 'El proveedor no responde. Vuelva a intentarlo dentro de unos minutos.',
    no_account:
      'No tiene una cuenta adecuada en el proveedor. Inicie sesión allí con un usuario que la tenga y vuelva a conectar.',
  },
};

/** Reasons why a connection to the vendor failed. */
export const notConnectedTexts: Record<Language, typeof english> = { en: english, es: spanish };
