import { inLanguage } from '../language.ts';

const english = {
  choose: 'Cc list',
  add: 'Add the list',
  people: { one: '1 person', other: '{n} people' },
  added: {
    one: '1 person from “{name}” gets a copy.',
    other: '{n} people from “{name}” get a copy.',
  },
  leftOut: {
    one: '1 person from “{name}” is a recipient already.',
    other: '{n} people from “{name}” are recipients already.',
  },
  full: 'Nobody from “{name}” was added. A document has up to 20 recipients: there is room for {room}, and the list has {n} more.',
};

const spanish: typeof english = {
  choose: 'Lista de copias',
  add: 'Añadir la lista',
  people: { one: '1 persona', other: '{n} personas' },
  added: {
    one: '1 persona de «{name}» recibirá una copia.',
    other: '{n} personas de «{name}» recibirán una copia.',
  },
  leftOut: {
    one: '1 persona de «{name}» ya es destinataria.',
    other: '{n} personas de «{name}» ya son destinatarias.',
  },
  full: 'No se añadió a nadie de «{name}». Un documento tiene hasta 20 destinatarios: caben {room} y la lista tiene {n} más.',
};

export const ccText = inLanguage(english, spanish);
