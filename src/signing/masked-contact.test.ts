import { expect, test } from 'vitest';
import { maskedEmail, maskedPhone } from './masked-contact.ts';

test.each([
  ['ada@example.com', 'a•••@example.com'],
  ['a@example.com', 'a•••@example.com'],
  ['👩‍⚖️judge@example.com', '👩‍⚖️•••@example.com'],
])('of %s the first letter and the domain are printed', (email, printed) => {
  expect(maskedEmail(email)).toBe(printed);
});

test.each([
  ['+1 (555) 010-4742', '•••42'],
  ['12345', '•••'],
  ['ask the office', '•••'],
])('of %s the last two digits are printed, if there are more to hide', (phone, printed) => {
  expect(maskedPhone(phone)).toBe(printed);
});
