import { inLanguage } from '../language.ts';

const english = {
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied',
  more: 'Show more',
  loading: 'Loading…',
  pageUnavailable: 'We can’t show this page.',
  tryAgain: 'Try again',
  optional: 'optional',
  tooManyTries: { one: 'Too many tries. Try again in a minute.', other: 'Too many tries. Try again in {n} minutes.' },
  failures: {
    failed: 'Something went wrong. Try again. If the problem continues, contact your administrator.',
    unreachable: 'We can’t reach the service. Check your connection and try again.',
    temporarily_unavailable: 'This isn’t available right now. Try again in a minute.',
    forbidden: 'You don’t have permission to do this. Ask an admin or owner of your company.',
    not_found: 'Not found. It may have been removed, or it belongs to another of your companies.',
    sign_in_again: 'You signed in a while ago. Try again, and confirm it’s you.',
    not_signed_in: 'You are signed out. Sign in again.',
    other_person: 'Someone else has signed in in this browser. Load the page again.',
    other_company: 'You now work in another company. Switch back at the top of the page, and try again.',
    owner_factor_needed: 'This is the last way in without single sign-on. Add another passkey or authenticator first.',
    invalid_input: 'Something is missing or invalid. Check your entries.',
    factor_locked:
      'A company of yours opens with single sign-on only. Ask another owner or the operator to switch that off, then set this up.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  close: 'Cerrar',
  cancel: 'Cancelar',
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'No se ha copiado',
  more: 'Mostrar más',
  loading: 'Cargando…',
  pageUnavailable: 'No podemos mostrar esta página.',
  tryAgain: 'Reintentar',
  optional: 'opcional',
  tooManyTries: {
    one: 'Demasiados intentos. Inténtelo de nuevo dentro de un minuto.',
    other: 'Demasiados intentos. Inténtelo de nuevo dentro de {n} minutos.',
  },
  failures: {
    failed: 'Algo salió mal. Inténtelo de nuevo. Si el problema continúa, avise a su administrador.',
    unreachable: 'No se puede acceder al servicio. Compruebe su conexión e inténtelo de nuevo.',
    temporarily_unavailable: 'No está disponible en este momento. Inténtelo dentro de un minuto.',
    forbidden: 'No tiene permiso para hacer esto. Pídaselo a un administrador o propietario de su empresa.',
    not_found: 'No encontrado. Puede que se haya eliminado o que pertenezca a otra de sus empresas.',
    sign_in_again: 'Inició sesión hace tiempo. Inténtelo de nuevo y confirme su identidad.',
    not_signed_in: 'Su sesión ha terminado. Inicie sesión de nuevo.',
    other_person: 'Otra persona inició sesión en este navegador. Cargue la página de nuevo.',
    other_company:
      'Ahora trabaja en otra empresa. Vuelva a la anterior en la parte superior de la página e inténtelo de nuevo.',
    owner_factor_needed:
      'Es el último acceso sin inicio de sesión único. Añada antes otra llave de acceso u otra aplicación de autenticación.',
    invalid_input: 'Falta algo o no es válido. Revise los datos.',
    factor_locked:
      'Una de sus empresas solo se abre con el inicio de sesión único. Pida a otro propietario o al operador que lo desactive y luego configure esto.',
  },
};

export const uiText = inLanguage(english, spanish);
