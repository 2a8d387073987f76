import { expect, test } from 'vitest';
import { audited } from './audited.ts';
import { place } from './countersign.ts';

test('a host is claimed, shown, checked, vouched for and removed', async () => {
  const at = await place({ PUBLIC_URL: 'https://sign.service.example' });
  await at.json('migrate');
  const { id } = await at.json<{ id: string }>('account', 'create', '--name', 'Acme');
  const { id: other } = await at.json<{ id: string }>('account', 'create', '--name', 'Other');
  const domain = (verb: string, ...more: string[]) => at.json('account', 'domain', verb, id, ...more);
  const fails = (code: 1 | 2, verb: string, ...more: string[]) =>
    at.fails(code, 'account', 'domain', verb, id, ...more);

  for (const verb of ['show', 'check', 'remove']) expect(await fails(1, verb), verb).toContain('no host');
  expect(await fails(1, 'activate', 'documents.acme.example')).toContain('no host');
  expect(await fails(2, 'set', '192.0.2.7')).toContain('must be a full host name');
  expect(await fails(2, 'set', 'co.uk')).toContain('must be a name of the company');
  expect(await fails(2, 'set', 'x.sign.service.example')).toContain('must not be that of PUBLIC_URL');
  const set = await domain('set', 'documents.acme.example');
  expect(set).toMatchObject({
    ...{ account_id: id, host: 'documents.acme.example', state: 'waiting', url: 'https://documents.acme.example' },
    records: [
      { type: 'CNAME', name: 'documents.acme.example', value: 'sign.service.example' },
      { type: 'TXT', name: '_countersign.documents.acme.example', value: expect.stringContaining('countersign-host=') },
    ],
  });
  expect(await domain('set', 'documents.acme.example')).toEqual(set);
  expect(await fails(1, 'set', 'other.acme.example')).toContain('remove it first');
  // The names of `.example` are not in DNS.
  expect(await domain('check')).toMatchObject({ state: 'waiting', problem: expect.any(String) });
  expect(await fails(1, 'activate', 'other.acme.example')).toContain('another host: check whose that is');
  expect(await domain('activate', 'Documents.Acme.example.')).toMatchObject({ state: 'active', proven_by: 'operator' });
  expect(await domain('check')).toMatchObject({ state: 'active' });
  const { stdout } = await at.run('account', 'domain', 'show', id);
  expect(stdout.toString()).toMatch(/state +active.*CNAME +documents\.acme\.example +sign\.service\.example/s);
  await at.json('account', 'domain', 'set', other, 'documents.acme.example');
  expect(await at.fails(1, 'account', 'domain', 'activate', other, 'documents.acme.example')).toContain(
    'another account has this host',
  );

  await at.json('account', 'remove', id);
  expect(await fails(1, 'show')).toContain('no host');
  expect(await at.json('account', 'domain', 'activate', other, 'documents.acme.example')).toMatchObject({
    state: 'active',
  });
  expect(await at.json('account', 'domain', 'remove', other)).toEqual({
    account_id: other,
    host: 'documents.acme.example',
  });
  expect((await audited(at, other)).filter((action) => action.startsWith('custom_domain'))).toEqual([
    'custom_domain_set',
    'custom_domain_activated',
    'custom_domain_removed',
  ]);
  const without = await place();
  const { id: alone } = await without.json<{ id: string }>('account', 'create', '--name', 'Alone');
  expect(await without.fails(1, 'account', 'domain', 'set', alone, 'documents.acme.example')).toContain(
    'set PUBLIC_URL',
  );
});
