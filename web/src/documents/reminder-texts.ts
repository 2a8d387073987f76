import { inLanguage } from '../language.ts';

const english = {
  reminders: 'Reminders',
  standard: 'Standard: {schedule}',
  standardShort: 'Standard',
  own: 'Own schedule',
  none: 'No reminders',
  noneShort: 'none',
  first: 'First after (days)',
  every: 'Then every (days)',
  atMost: 'At most',
  before: 'Also before it expires (days)',
  beforeHint: 'Sent this many days before the expiry date, unless another reminder goes out at that time.',
  beforeNeedsExpiry: 'Only for a document that expires.',
  hint: 'To recipients whose turn it is, until they sign.',
  after: { one: 'after a day', other: 'after {n} days' },
  thenEvery: { one: 'then every day', other: 'then every {n} days' },
  most: { one: 'once', other: '{n} in all' },
  afterEach: 'after {list} days',
  beforeExpiry: 'Reminder before expiry',
  daysBefore: { one: 'A day before', other: '{n} days before' },
  next: 'Next reminder',
};

const spanish: typeof english = {
  reminders: 'Recordatorios',
  standard: 'Estándar: {schedule}',
  standardShort: 'Estándar',
  own: 'Calendario propio',
  none: 'Sin recordatorios',
  noneShort: 'ninguno',
  first: 'El primero tras (días)',
  every: 'Después cada (días)',
  atMost: 'Como máximo',
  before: 'También antes de caducar (días)',
  beforeHint: 'Se envía estos días antes de la fecha de caducidad, salvo que ya toque otro recordatorio.',
  beforeNeedsExpiry: 'Solo para un documento que caduca.',
  hint: 'A quienes deban firmar en ese momento, hasta que firmen.',
  after: { one: 'tras un día', other: 'tras {n} días' },
  thenEvery: { one: 'después cada día', other: 'después cada {n} días' },
  most: { one: 'una vez', other: '{n} en total' },
  afterEach: 'tras {list} días',
  beforeExpiry: 'Recordatorio antes de caducar',
  daysBefore: { one: 'Un día antes', other: '{n} días antes' },
  next: 'Próximo recordatorio',
};

export const reminderText = inLanguage(english, spanish);
