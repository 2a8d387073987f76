import type { Scope } from '../../keys/scopes.ts';

export const scopeMeanings: Record<Scope, string> = {
  'documents:read': 'List and retrieve documents.',
  'recipients:read': "Read a document's recipients, including e-mail addresses and phone numbers.",
  'documents:write': 'Create draft documents.',
  'documents:send': 'Send documents for signature. This causes e-mail and SMS to go out.',
  'imports:read': 'List and retrieve imports and their items.',
  'imports:write': 'Start imports.',
};
