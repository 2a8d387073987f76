import { inLanguage } from '../language.ts';

const english = {
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  more: 'Show more',
  loading: 'Loading…',
  pageUnavailable: 'This page cannot be shown.',
  tryAgain: 'Try again',
  signInAgain: 'Sign in again',
  optional: 'optional',
  tooManyTries: { one: 'Too many tries. Try again in a minute.', other: 'Too many tries. Try again in {n} minutes.' },
  failures: {
    failed: 'Something went wrong. Try again; if it stays, tell whoever runs this service.',
    unreachable: 'The service cannot be reached. Check your connection and try again.',
    temporarily_unavailable: 'The service cannot do this at the moment. Try again in a minute.',
    forbidden: 'Your role does not allow this. Ask an admin or owner of your company.',
    not_found: 'This is not here any more. It may have been removed, or belong to another company of yours.',
    sign_in_again: 'To do this, show once more that it is you: you signed in too long ago.',
    not_signed_in: 'You are signed out. Sign in again.',
    invalid_input: 'Something is missing or wrong. Check what you entered.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  close: 'Cerrar',
  cancel: 'Cancelar',
  copy: 'Copiar',
  copied: 'Copiado',
  more: 'Mostrar más',
  loading: 'Cargando…',
  pageUnavailable: 'Esta página no se puede mostrar.',
  tryAgain: 'Reintentar',
  signInAgain: 'Volver a iniciar sesión',
  optional: 'opcional',
  tooManyTries: {
    one: 'Demasiados intentos. Inténtelo de nuevo dentro de un minuto.',
    other: 'Demasiados intentos. Inténtelo de nuevo dentro de {n} minutos.',
  },
  failures: {
    failed: 'Algo ha fallado. Inténtelo de nuevo; si persiste, avise a quien administra este servicio.',
    unreachable: 'No se puede acceder al servicio. Compruebe su conexión e inténtelo de nuevo.',
    temporarily_unavailable: 'El servicio no puede hacerlo en este momento. Inténtelo dentro de un minuto.',
    forbidden: 'Su función no lo permite. Pídaselo a un administrador o propietario de su empresa.',
    not_found: 'Esto ya no está aquí. Puede que se haya eliminado, o que sea de otra de sus empresas.',
    sign_in_again: 'Para hacerlo, demuestre otra vez que es usted: inició sesión hace demasiado tiempo.',
    not_signed_in: 'Su sesión ha terminado. Inicie sesión de nuevo.',
    invalid_input: 'Falta algo o es incorrecto. Revise lo que ha escrito.',
  },
};

export const uiText = inLanguage(english, spanish);
