import type { Language } from '../../../platform/language.ts';
import type { SsoFailure } from '../../../sso/take-sign-in.ts';

/** Problems of the provider that the person can do nothing about. */
const providerFault =
  'Your company’s sign-in service gave an answer that we can’t accept. Ask an owner of your company.';
const providerFaultEs =
  'El servicio de inicio de sesión de su empresa dio una respuesta que no podemos aceptar. Pregunte a un propietario de su empresa.';

const english = {
  title: 'Single sign-on',
  continueTo: 'You’ll sign in at',
  continue: 'Continue with single sign-on',
  offer: 'People of this domain can sign in with their company’s account.',
  otherWays: 'Other ways to sign in',
  finishing: 'Signing you in…',
  neededTitle: 'Your company requires single sign-on',
  neededText: 'You are signed in as {email}. This company opens with its single sign-on only:',
  failedTitle: 'You are not signed in',
  back: 'Back to signing in',
  unknownTitle: 'This link doesn’t work',
  unknownText: 'No company has a single sign-on at this address. Ask an owner of your company for its link.',
  reasons: {
    not_asked_for:
      'This answer was already used, is older than ten minutes, or belongs to another browser. Sign in again.',
    changed: 'Your company changed its single sign-on in the meantime. Sign in again.',
    declined: 'The sign-in was cancelled or declined at your company’s sign-in service. You can try again at any time.',
    provider_error: 'Your company’s sign-in service reported an error. Try again, or ask an owner of your company.',
    unreachable: 'Your company’s sign-in service isn’t responding. Try again in a few minutes.',
    unknown_host: 'Your company’s sign-in service can’t be found. Ask an owner of your company.',
    not_public: 'The address of your company’s sign-in service isn’t allowed. Ask an owner of your company.',
    bad_certificate: 'The certificate of your company’s sign-in service isn’t valid. Ask an owner of your company.',
    keys_unreachable: 'Your company’s sign-in service isn’t responding. Try again in a few minutes.',
    no_discovery: providerFault,
    other_issuer: providerFault,
    incomplete: providerFault,
    no_algorithm: providerFault,
    too_large: providerFault,
    bad_token: providerFault,
    bad_signature:
      'The answer of your company’s sign-in service isn’t signed as it must be. Ask an owner of your company.',
    bad_audience:
      'The answer of your company’s sign-in service is for another application. Ask an owner of your company.',
    bad_nonce: 'The answer of your company’s sign-in service belongs to another sign-in. Sign in again.',
    wrong_issuer: 'The answer came from another sign-in service than your company’s. Sign in again.',
    clock:
      'The answer of your company’s sign-in service has expired, or its clock differs from ours. Sign in again. If it fails again, ask an owner of your company.',
    client_refused:
      'Your company’s sign-in service doesn’t accept this service’s registration. Ask an owner of your company.',
    code_refused: 'Your company’s sign-in service says that this took too long. Sign in again.',
    no_email: 'Your company’s sign-in service doesn’t tell us your e-mail address. Ask an owner of your company.',
    email_unverified:
      'Your company’s sign-in service doesn’t confirm your e-mail address, and your company hasn’t proven its domain. Ask an owner of your company.',
    not_member: 'You aren’t a member of this company yet. Ask an owner or admin of your company to invite you.',
    groups_missing:
      'Your company’s sign-in service doesn’t tell us your groups, because they are too many. Ask an owner of your company.',
    removed: 'You were removed from this company. Ask an owner or admin of your company to invite you again.',
    other_subject:
      'Your e-mail address belongs to another account at your company’s sign-in service. Ask an owner of your company to unlink the old one.',
  } satisfies Record<SsoFailure, string>,
};

const spanish: typeof english = {
  title: 'Inicio de sesión único',
  continueTo: 'Iniciará sesión en',
  continue: 'Continuar con inicio de sesión único',
  offer: 'Las personas de este dominio pueden entrar con la cuenta de su empresa.',
  otherWays: 'Otras formas de iniciar sesión',
  finishing: 'Iniciando sesión…',
  neededTitle: 'Su empresa exige el inicio de sesión único',
  neededText: 'Ha iniciado sesión como {email}. Esta empresa solo se abre con su inicio de sesión único:',
  failedTitle: 'No ha iniciado sesión',
  back: 'Volver al inicio de sesión',
  unknownTitle: 'Este enlace no funciona',
  unknownText:
    'Ninguna empresa tiene un inicio de sesión único en esta dirección. Pida el enlace a un propietario de su empresa.',
  reasons: {
    not_asked_for:
      'Esta respuesta ya se usó, tiene más de diez minutos o es de otro navegador. Inicie sesión de nuevo.',
    changed: 'Entretanto, su empresa cambió su inicio de sesión único. Inicie sesión de nuevo.',
    declined:
      'El inicio de sesión se canceló o se rechazó en el servicio de su empresa. Puede volver a intentarlo cuando quiera.',
    provider_error:
      'El servicio de inicio de sesión de su empresa comunicó un error. Inténtelo de nuevo o pregunte a un propietario de su empresa.',
    unreachable: 'El servicio de inicio de sesión de su empresa no responde. Inténtelo dentro de unos minutos.',
    unknown_host:
      'No se encuentra el servicio de inicio de sesión de su empresa. Pregunte a un propietario de su empresa.',
    not_public:
      'La dirección del servicio de inicio de sesión de su empresa no está permitida. Pregunte a un propietario de su empresa.',
    bad_certificate:
      'El certificado del servicio de inicio de sesión de su empresa no es válido. Pregunte a un propietario de su empresa.',
    keys_unreachable: 'El servicio de inicio de sesión de su empresa no responde. Inténtelo dentro de unos minutos.',
    no_discovery: providerFaultEs,
    other_issuer: providerFaultEs,
    incomplete: providerFaultEs,
    no_algorithm: providerFaultEs,
    too_large: providerFaultEs,
    bad_token: providerFaultEs,
    bad_signature:
      'La respuesta del servicio de inicio de sesión de su empresa no está firmada como debe. Pregunte a un propietario de su empresa.',
    bad_audience:
      'La respuesta del servicio de inicio de sesión de su empresa es para otra aplicación. Pregunte a un propietario de su empresa.',
    bad_nonce:
      'La respuesta del servicio de inicio de sesión de su empresa es de otro inicio de sesión. Inicie sesión de nuevo.',
    wrong_issuer: 'La respuesta no vino del servicio de inicio de sesión de su empresa. Inicie sesión de nuevo.',
    clock:
      'La respuesta del servicio de inicio de sesión de su empresa ha caducado, o su reloj difiere del nuestro. Inicie sesión de nuevo. Si vuelve a fallar, pregunte a un propietario de su empresa.',
    client_refused:
      'El servicio de inicio de sesión de su empresa no acepta el registro de este servicio. Pregunte a un propietario de su empresa.',
    code_refused:
      'El servicio de inicio de sesión de su empresa indica que ha pasado demasiado tiempo. Inicie sesión de nuevo.',
    no_email:
      'El servicio de inicio de sesión de su empresa no nos da su correo electrónico. Pregunte a un propietario de su empresa.',
    email_unverified:
      'El servicio de inicio de sesión de su empresa no confirma su correo electrónico y su empresa no ha demostrado que el dominio es suyo. Pregunte a un propietario de su empresa.',
    not_member: 'Aún no es miembro de esta empresa. Pida a un propietario o administrador de su empresa que le invite.',
    groups_missing:
      'El servicio de inicio de sesión de su empresa no nos da sus grupos, porque son demasiados. Pregunte a un propietario de su empresa.',
    removed:
      'Se le retiró de esta empresa. Pida a un propietario o administrador de su empresa que vuelva a invitarle.',
    other_subject:
      'Su correo electrónico es de otra cuenta en el servicio de inicio de sesión de su empresa. Pida a un propietario de su empresa que desvincule la anterior.',
  },
};

export const ssoTexts: Record<Language, typeof english> = { en: english, es: spanish };
