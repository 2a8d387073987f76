import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readProfile } from './profile.ts';

const account = { account_id: 'a-1', account_name: 'Acme', is_default: false, base_uri: 'https://na3.example.net/' };
const read = (answer: unknown, allowsLocal = false) => readProfile(answer, { allowsLocal });

test('takes the default account, or the first one, with its origin', () => {
  const accounts = [account, { ...account, account_id: 'a-2', is_default: true }];
  expect(read({ name: 'Ada', email: 'ada@example.com', accounts })).toEqual({
    vendorAccountId: 'a-2',
    vendorAccountName: 'Acme',
    userName: 'Ada',
    userEmail: 'ada@example.com',
    baseUri: 'https://na3.example.net',
  });
  expect(read({ accounts: [account] })).toMatchObject({ vendorAccountId: 'a-1', userName: null, userEmail: null });
});

test('refuses a private address unless the vendor is local', () => {
  const at = (base_uri: string) => ({ accounts: [{ ...account, base_uri }] });
  for (const local of [
    'http://127.0.0.1:9',
    'https://127.0.0.1',
    'https://169.254.169.254',
    'http://na3.example.net',
  ]) {
    expect(read(at(local)), local).toBe(null);
    expect(read(at(local), true)?.baseUri, local).toBe(new URL(local).origin);
  }
  for (const bad of ['', 'na3.example.net', 'ftp://na3.example.net', 'https://u:p@na3.example.net', 'javascript:1']) {
    expect(read(at(bad), true), bad).toBe(null);
  }
});

test('the result can be stored for any answer of the vendor', () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constantFrom('\0', '\ud800', ' ', ''));
  const anyAccount = fc.record({ account_id: anyText, account_name: anyText, base_uri: fc.constant(account.base_uri) });
  fc.assert(
    fc.property(fc.record({ name: anyText, email: fc.anything(), accounts: fc.array(anyAccount) }), (answer) => {
      const profile = read(answer);
      if (profile === null) return;
      expect(profile.vendorAccountId).toMatch(/^[!-~]{1,100}$/);
      for (const shown of [profile.vendorAccountName, profile.userName, profile.userEmail]) {
        if (shown === null) continue;
        expect(shown.isWellFormed() && !shown.includes('\0') && shown !== '' && [...shown].length <= 254).toBe(true);
      }
    }),
  );
  fc.assert(fc.property(fc.anything(), (answer) => void read(answer)));
});
