import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { bodyValidator } from './validate-body.ts';

const validate = bodyValidator(
  Type.Object(
    {
      items: Type.Array(Type.Object({ name: Type.String({ 'x-error-code': 'invalid_title' }) }), {
        maxItems: 2,
        'x-error-code': 'invalid_recipients',
      }),
    },
    { 'x-error-code': 'invalid_body' },
  ),
);

/** An item that can't be looked at. */
const untouchable = {
  get name(): string {
    throw new Error('an item of a list that is too long was read');
  },
};

test('a list that is too long is refused without a look at its items', () => {
  expect(() => validate({ items: Array(3).fill(untouchable) })).toThrow(
    expect.objectContaining({ code: 'invalid_recipients', param: 'items' }),
  );
});

test('a list of the allowed length is refused for its first bad item', () => {
  expect(() => validate({ items: [{ name: 'a' }, {}] })).toThrow(
    expect.objectContaining({ code: 'invalid_title', param: 'items[1].name' }),
  );
  expect(validate({ items: [{ name: 'a' }, { name: 'b' }] })).toEqual({ items: [{ name: 'a' }, { name: 'b' }] });
});
