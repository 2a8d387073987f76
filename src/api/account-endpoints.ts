import { Type } from 'typebox';
import { findAccount } from '../accounts/manage-accounts.ts';
import { ApiError } from '../errors.ts';
import { scopes } from '../keys/scopes.ts';
import { type Endpoint, orFail } from './endpoint.ts';

const accountSchema = Type.Object({
  object: Type.Literal('account'),
  id: Type.String({ format: 'uuid' }),
  display_name: Type.String(),
  tier: Type.String({ description: 'The current plan. It determines rate limits.' }),
  created_at: Type.String({ format: 'date-time' }),
  mode: Type.Unsafe<'live' | 'test'>({ type: 'string', enum: ['live', 'test'], description: 'The kind of key used.' }),
  scopes: Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...scopes] }), {
    description: 'Scopes granted to the calling key.',
  }),
});

export const accountEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/account',
    scope: null,
    summary: 'Who the key belongs to',
    description: 'The company of the calling key, with the mode and scopes of the key.',
    answer: { status: 200, schema: accountSchema, description: 'The account.' },
    codes: ['account_unavailable'],
    mayReadAhead: true,
    async read({ caller }, db) {
      const account = await orFail('account_unavailable', findAccount(db, caller.accountId));
      if (account === null) throw new ApiError('account_unavailable');
      return {
        object: 'account',
        id: account.id,
        display_name: account.display_name,
        tier: account.tier,
        created_at: account.created_at,
        mode: caller.mode,
        scopes: caller.scopes,
      };
    },
  },
];
