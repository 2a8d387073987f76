import { findContacts } from '../../documents/find-contacts.ts';
import { readerOf } from '../core/authorise.ts';
import { forMembers } from '../core/console-endpoint.ts';
import { readSearchText } from '../core/read-words.ts';

const contactsMax = 8;

/** Earlier recipients, to fill in a form. `q`: the beginning of a name or an e-mail address. */
export const contactEndpoints = [
  forMembers('GET /contacts', 'member', {}, async ({ db }, call) => {
    const text = readSearchText(call.query.q);
    const accountId = call.caller.membership.account_id;
    return {
      data:
        text === '' ? [] : await findContacts(db, { accountId, readerId: readerOf(call), text, limit: contactsMax }),
    };
  }),
];
