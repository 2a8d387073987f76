import { stateNames } from '../../../src/message-log/message-words.ts';
import { inLanguage, language } from '../language.ts';

const english = {
  running: 'Sending now',
  queueId: 'Mail server’s ID: {id}',
  tries: { one: '1 attempt', other: '{n} attempts' },
  next: 'Next attempt: {when}',
  delayed: 'Delay reported: {when}',
  reply: 'Reply of the server',
};

const spanish: typeof english = {
  running: 'Enviando ahora',
  queueId: 'ID del servidor de correo: {id}',
  tries: { one: '1 intento', other: '{n} intentos' },
  next: 'Próximo intento: {when}',
  delayed: 'Aviso de retraso: {when}',
  reply: 'Respuesta del servidor',
};

export const deliveryText = inLanguage(english, spanish);

export const deliveryStates = stateNames[language];
