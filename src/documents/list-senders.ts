import { isInSeenFolder } from '../accounts/document-access.ts';
import { readActor } from '../actor.ts';
import { isUuid } from '../platform/ids.ts';
import type { Queryable } from '../postgres/database.ts';

/** Someone who sent documents of a company. */
export interface DocumentSender {
  /** As the audit trail names them, such as `person:…`. */
  actor: string;
  kind: 'person' | 'api_key' | 'operator' | 'service';
  /** The e-mail address of a person, the name or the beginning of a key. */
  name: string | null;
}

/** At most this many senders are listed. */
const sendersMax = 200;
/** A sender is left out if all of their last documents, at most this many, are in folders that the reader does not see. */
const documentsCheckedMax = 200;

/**
 * Lists who sent documents of the company, people first, by name. Jumps from sender to sender in the index, so that the number
 * of documents does not matter. `readerId`: from `readerIdOf`.
 */
export async function listSenders(
  db: Queryable,
  accountId: string,
  readerId: string | null,
): Promise<DocumentSender[]> {
  const rows = await db.query<{ actor: string; name: string | null }>({
    name: 'list_senders',
    text: `with recursive senders as (
             (select actor from audit_entries where account_id = $1 and action = 'sent' order by actor limit 1)
             union all
             select (select e.actor from audit_entries e
                     where e.account_id = $1 and e.action = 'sent' and e.actor > s.actor order by e.actor limit 1)
             from senders s where s.actor is not null
           )
           select s.actor, coalesce(p.email, k.name, k.hint) as name
           from (select actor from senders where actor is not null limit $2) s
             left join people p on p.id = (case when s.actor like 'person:%' then substr(s.actor, 8) end)::uuid
             left join api_keys k on k.account_id = $1
               and k.id = (case when s.actor like 'api_key:%' then substr(s.actor, 9) end)::uuid
           where $3::uuid is null or exists (
             select from (
               select document_id from audit_entries
               where account_id = $1 and actor = s.actor and action = 'sent' order by document_id desc limit $4
             ) e join documents d on d.account_id = $1 and d.id = e.document_id and ${isInSeenFolder('d', '$3')}
           )`,
    values: [accountId, sendersMax, readerId, documentsCheckedMax],
  });
  const senders = rows.map(({ actor, name }) => ({
    actor,
    kind: readActor(actor).kind as DocumentSender['kind'],
    name,
  }));
  return senders.toSorted((a, b) => rank(a) - rank(b) || (a.name ?? '').localeCompare(b.name ?? ''));
}

/** Returns who sent each of these documents, by id: their name, or else `operator` or `service`. */
export async function readSenderNames(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; name: string }>({
    name: 'read_sender_names',
    text: `select e.document_id as id, coalesce(p.email, k.name, k.hint, e.actor) as name
           from audit_entries e
             left join people p on p.id = (case when e.actor like 'person:%' then substr(e.actor, 8) end)::uuid
             left join api_keys k on k.account_id = $1
               and k.id = (case when e.actor like 'api_key:%' then substr(e.actor, 9) end)::uuid
           where e.account_id = $1 and e.document_id = any ($2::uuid[]) and e.action = 'sent'`,
    values: [accountId, ids],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Who sent a document or, before it is sent, who created it. */
export interface SenderOfDocument extends DocumentSender {
  has_sent: boolean;
}

/** Returns the senders of these documents by the document's id. Reads the entries of these documents only. */
export async function readSenders(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SenderOfDocument>> {
  const rows = await db.query<{ id: string; actor: string; name: string | null; has_sent: boolean }>({
    name: 'read_senders',
    text: `select distinct on (e.document_id) e.document_id as id, e.actor, coalesce(p.email, k.name, k.hint) as name,
             e.action = 'sent' as has_sent
           from audit_entries e
             left join people p on p.id = (case when e.actor like 'person:%' then substr(e.actor, 8) end)::uuid
             left join api_keys k on k.account_id = $1
               and k.id = (case when e.actor like 'api_key:%' then substr(e.actor, 9) end)::uuid
           where e.account_id = $1 and e.document_id = any ($2::uuid[]) and e.action in ('created', 'sent')
           order by e.document_id, e.seq desc`,
    values: [accountId, ids],
  });
  return new Map(
    rows.map(({ id, actor, name, has_sent }) => {
      return [id, { actor, kind: readActor(actor).kind as DocumentSender['kind'], name, has_sent }];
    }),
  );
}

function rank({ kind }: DocumentSender): number {
  return ['person', 'api_key', 'operator', 'service'].indexOf(kind);
}

/** Whether a text may be the `actor` of a sender. */
export function isSender(text: string): boolean {
  const { kind, id } = readActor(text);
  if (id === null) return text === 'operator' || text === 'service';
  return (kind === 'person' || kind === 'api_key') && isUuid(id) && text === `${kind}:${id}`;
}
