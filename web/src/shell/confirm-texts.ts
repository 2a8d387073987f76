import { inLanguage } from '../language.ts';

const english = {
  title: 'Confirm it’s you',
  why: 'This is a sensitive change, and you signed in a while ago.',
  byLink:
    'This is a sensitive change, and you signed in a while ago. Sign in again in a new tab. This page then continues by itself.',
  bySso:
    'This is a sensitive change, and you signed in a while ago. Sign in again with your company’s single sign-on, in a new tab. This page then continues by itself.',
  unproven:
    'You have signed in again, but your provider doesn’t say when it asked you (auth_time), or didn’t ask. You can’t make this change until it does: ask the people who manage your provider.',
  useSso: 'Continue with single sign-on',
  password: 'Password',
  code: 'Code',
  codeHint: 'From your authenticator app, or a recovery code.',
  confirm: 'Confirm',
  usePasskey: 'Use a passkey',
  signInAgain: 'Sign in again',
  failures: {
    wrong_password: 'This password is wrong.',
    wrong_code: 'This code is wrong or was already used. Wait for the next one.',
    wrong_passkey: 'The passkey was not accepted.',
    cancelled: 'No passkey was used.',
  } as Record<string, string>,
  signIn: {
    title: 'You are signed out',
    why: 'Your session has ended. Sign in as {email} to continue where you were. What you entered is still here.',
    closed: 'You are signed out. What you entered is still here.',
    signIn: 'Sign in',
    sendLink: 'E-mail me a link',
    linkSent: 'We’ve sent you a link. Open it in this browser. This page then continues by itself.',
    leave: 'Leave this page and sign in as someone else',
    failures: {
      wrong_credentials: 'This password is wrong.',
      wrong_code: 'This code is wrong or was already used. Wait for the next one.',
      wrong_passkey: 'The passkey was not accepted.',
      cancelled: 'No passkey was used.',
      not_signed_in: 'This took too long. Close this and try again.',
    } as Record<string, string>,
  },
};

const spanish: typeof english = {
  title: 'Confirme su identidad',
  why: 'Es un cambio delicado y hace un rato que inició sesión.',
  byLink:
    'Es un cambio delicado y hace un rato que inició sesión. Vuelva a iniciar sesión en otra pestaña. Esta página continuará sola.',
  bySso:
    'Es un cambio delicado y hace un rato que inició sesión. Vuelva a entrar con el inicio de sesión único de su empresa, en otra pestaña. Esta página continuará sola.',
  unproven:
    'Ha vuelto a entrar, pero su proveedor no indica cuándo le preguntó (auth_time), o no le preguntó. Este cambio no se permite hasta que lo haga: avise a quienes administran su proveedor.',
  useSso: 'Continuar con inicio de sesión único',
  password: 'Contraseña',
  code: 'Código',
  codeHint: 'De su aplicación de autenticación, o un código de recuperación.',
  confirm: 'Confirmar',
  usePasskey: 'Usar una llave de acceso',
  signInAgain: 'Volver a iniciar sesión',
  failures: {
    wrong_password: 'Esta contraseña es incorrecta.',
    wrong_code: 'Este código es incorrecto o ya se usó. Espere al siguiente.',
    wrong_passkey: 'No se aceptó la llave de acceso.',
    cancelled: 'No se usó ninguna llave de acceso.',
  },
  signIn: {
    title: 'Su sesión ha terminado',
    why: 'Inicie sesión como {email} para continuar donde estaba. Lo que escribió sigue aquí.',
    closed: 'Su sesión ha terminado. Lo que escribió sigue aquí.',
    signIn: 'Iniciar sesión',
    sendLink: 'Enviarme un enlace',
    linkSent: 'Le hemos enviado un enlace. Ábralo en este navegador. Esta página continuará sola.',
    leave: 'Salir de esta página e iniciar sesión como otra persona',
    failures: {
      wrong_credentials: 'Esta contraseña es incorrecta.',
      wrong_code: 'Este código es incorrecto o ya se usó. Espere al siguiente.',
      wrong_passkey: 'No se aceptó la llave de acceso.',
      cancelled: 'No se usó ninguna llave de acceso.',
      not_signed_in: 'Ha pasado demasiado tiempo. Ciérrelo e inténtelo de nuevo.',
    },
  },
};

export const confirmText = inLanguage(english, spanish);
