import { expect, test } from 'vitest';
import { scopes } from '../../keys/scopes.ts';
import { instantOf, oneOf, positiveInteger, scopesOf, textOf, tierOf, UsageError } from './arguments.ts';

function refuses<Value>(parse: (text: string) => Value, texts: string[]): void {
  for (const text of texts) expect(() => parse(text), text).toThrow(UsageError);
}

test('text counts Unicode code points and is more than white space', () => {
  const name = textOf('--name', 200);
  for (const text of ['x', 'é'.repeat(200), '🦉'.repeat(200), ' a ']) expect(name(text)).toBe(text);
  refuses(name, ['', '   ', '\n', 'x'.repeat(201), '🦉'.repeat(201)]);
});

test('a number is whole, positive and exact', () => {
  const amount = positiveInteger('n');
  expect(amount('1')).toBe(1);
  expect(amount('0042')).toBe(42);
  expect(amount('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  refuses(amount, ['0', '00', '1.5', '1e3', '0x10', '+5', '-5', ' 5', 'ten', '', '9007199254740992', '٥']);
});

test('scopes are all, or a list of known ones', () => {
  expect(scopesOf('all')).toEqual(scopes);
  expect(scopesOf('documents:send, documents:read')).toEqual(['documents:send', 'documents:read']);
  refuses(scopesOf, ['', ',', 'documents:read,', 'everything', 'ALL', 'all,documents:read', '__proto__']);
});

test('a choice is one of the list, not of what every object has', () => {
  expect(tierOf('team')).toBe('team');
  expect(oneOf('--mode', ['live', 'test'])('test')).toBe('test');
  refuses(tierOf, ['', 'Team', 'toString', '__proto__']);
  refuses(oneOf('--mode', ['live', 'test']), ['', 'LIVE', 'constructor']);
});

test('a time has its zone, and is one that the calendar has', () => {
  const time = instantOf('--expires-at');
  expect(time('2030-01-31T12:00:00Z')).toBe('2030-01-31T12:00:00.000Z');
  expect(time('2024-02-29T23:59:59.5+02:00')).toBe('2024-02-29T21:59:59.500Z');
  expect(time('2000-02-29t00:00:00z')).toBe('2000-02-29T00:00:00.000Z');
  expect(time('0001-01-01T00:00:00Z')).toBe('0001-01-01T00:00:00.000Z');
  refuses(time, ['', 'tomorrow', '2030-01-31', '2030-01-31T12:00:00', '2030-02-30T00:00:00Z', '2023-02-29T00:00:00Z']);
  refuses(time, ['1900-02-29T00:00:00Z', '2030-13-01T00:00:00Z', '2030-00-10T00:00:00Z', '2030-01-00T00:00:00Z']);
  refuses(time, ['2030-01-01T25:00:00Z', '2030-01-01T00:00:00+99:00', '0000-01-01T00:00:00Z']);
  refuses(time, ['9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00', '+12030-01-01T00:00:00Z']);
});
