import { html } from '../../http/html.ts';
import type { PageTexts } from '../page-texts.ts';

export const linkSpanish: PageTexts['link'] = {
  from: (sender) => html`De ${sender}`,
  lead: (sender) =>
    html`Escriba su nombre y su correo electrónico. Le enviamos un código, para que ${sender} sepa que el correo es suyo. Después puede leer y firmar el documento. No necesita ninguna cuenta.`,
  name: 'Su nombre completo',
  nameHint: 'Tal como debe figurar en el documento.',
  email: 'Su correo electrónico',
  emailHint: 'Ahí llegan el código y un enlace a su documento.',
  sendCode: 'Enviar código',
  personal: 'Cada persona que abre esta página firma su propio documento.',
  codeHeading: 'Escriba su código',
  codeSent: (address) => html`Hemos enviado un código de 6 cifras a ${address}.`,
  codeHint: 'Sirve durante 10 minutos. Si no ve el correo, mire en su carpeta de correo no deseado.',
  code: 'Código de verificación',
  continue: 'Continuar',
  newCode: 'Enviar otro código',
  otherAddress: 'Usar otro correo',
  sentAgain: 'Hemos enviado otro código. Los anteriores ya no sirven.',
  noCookie:
    'Su navegador no guardó nuestra cookie, así que no puede escribir el código que enviamos. Permita las cookies en esta página y pida otro código.',
  ownTab: 'O abra esta página en su propia pestaña',
  closed: {
    off: {
      title: 'No disponible por el momento',
      text: (sender) => html`Ahora nadie puede firmar con este enlace. Consulte a ${sender}.`,
    },
    unavailable: {
      title: 'No disponible por el momento',
      text: (sender) => html`Ahora nadie puede firmar con este enlace. Consulte a ${sender}.`,
    },
    ended: {
      title: 'Este enlace ha terminado',
      text: (sender) =>
        html`El plazo para firmar con este enlace ha pasado. Si aún quiere firmar, consulte a ${sender}. Si ya tiene un documento, ábralo con el enlace de su correo.`,
    },
    used_up: {
      title: 'No quedan plazas',
      text: (sender) =>
        html`Este enlace ya lo han usado todas las personas previstas. Si también quiere firmar, consulte a ${sender}. Si ya tiene un documento, ábralo con el enlace de su correo.`,
    },
  },
  errors: {
    invalid_name: 'Escriba su nombre en una línea, con 120 caracteres como máximo.',
    invalid_email: 'Escriba un correo electrónico, por ejemplo ada@example.com.',
    invalid_code: 'Este código es erróneo o ya no sirve. Después de 5 códigos erróneos, pida otro.',
    already_used: (sender) =>
      html`Se le ha pedido a otra persona que firme el documento de este correo. Si tiene preguntas, contacte con ${sender}.`,
    too_many: 'Ha habido demasiados intentos. Espere un rato e inténtelo de nuevo.',
    code_not_sent: 'No se ha podido enviar el código. Compruebe el correo o inténtelo más tarde.',
    mail_unavailable: 'El código no se puede enviar en este momento. Inténtelo de nuevo dentro de unos minutos.',
  },
};
