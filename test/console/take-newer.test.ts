import { expect, test } from 'vitest';

// The module is loaded by a name that is not known before, because it uses types of browsers.
const load = (name: string) => import(`../../web/src/documents/${name}.ts`);
const { takeNewerRecipients } = await load('take-newer');

const recipient = (id: string | null, name: string, email = '') => ({ id, name, email, placeholder: '' });
const [ada, alan, grace] = [recipient('1', 'Ada'), recipient('2', 'Alan'), recipient('3', 'Grace')];

test('what was entered for a recipient stays, and the rest is as in the newer version', () => {
  const entered = [{ ...ada, email: 'ada@example.com' }, alan];
  const now = [{ ...ada, name: 'Ada Lovelace', email: 'old@example.com' }, alan];
  expect(takeNewerRecipients(entered, [ada, alan], now)).toEqual([
    { ...ada, name: 'Ada Lovelace', email: 'ada@example.com' },
    alan,
  ]);
});

test('recipients that were added or removed here stay so, in the order that was chosen here', () => {
  const own = recipient(null, 'Own');
  expect(takeNewerRecipients([own, alan], [ada, alan], [ada, alan, grace])).toEqual([own, alan, grace]);
});

test('a removed recipient goes unless something was entered, and its fields go with it', () => {
  const entered = [ada, { ...alan, email: 'alan@example.com' }];
  expect(takeNewerRecipients(entered, [ada, alan], [grace])).toEqual([
    recipient(null, 'Alan', 'alan@example.com'),
    grace,
  ]);
});
