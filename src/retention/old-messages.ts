import type { Queryable } from '../postgres/database.ts';
import { readFirst } from './read-first.ts';
import { keptDays, type RetainedData } from './retained-data.ts';
import { createWalk } from './walk.ts';

/** Settled messages of documents that nobody can sign any more. Reminders are scheduled from those of other documents. */
export function oldMessages(db: Queryable, days: number | null): RetainedData {
  return {
    name: 'messages',
    before: keptDays(days),
    removeBatch: createWalk(db, {
      name: 'remove_messages',
      text: `with looked as materialized (
               select id from messages where id > $1::uuid and id < $2::uuid order by id limit $3
             ), old as materialized (
               select m.id from messages m join looked on looked.id = m.id
               join documents d on d.account_id = m.account_id and d.id = m.document_id
               where m.settled_at < $4 and d.status not in ('sent', 'partially_signed')
               for update of m skip locked
             ), removed as (
               delete from messages m using old where m.id = old.id returning 1
             )
             select (select id from looked order by id desc limit 1) as ended_at,
               (select count(*) from looked)::int as looked, (select count(*) from removed)::int as removed`,
    }),
    oldest: () => readFirst(db, 'messages'),
  };
}

/** Codes, links and e-mails to members. Nothing depends on them but the message log. */
export function oldDirectMessages(db: Queryable, days: number | null): RetainedData {
  return {
    name: 'direct_messages',
    before: keptDays(days),
    removeBatch: createWalk(db, {
      name: 'remove_direct_messages',
      text: `with looked as materialized (
               select id from direct_messages where id > $1::uuid and id < $2::uuid order by id limit $3
             ), removed as (
               delete from direct_messages m using looked where m.id = looked.id and coalesce(m.settled_at, m.created_at) < $4
               returning 1
             )
             select (select id from looked order by id desc limit 1) as ended_at,
               (select count(*) from looked)::int as looked, (select count(*) from removed)::int as removed`,
    }),
    oldest: () => readFirst(db, 'direct_messages'),
  };
}

/** Notices that were delivered or given up. They are about documents that are over, or about people who are replaced. */
export function oldNotices(db: Queryable, days: number | null): RetainedData {
  return {
    name: 'notices',
    before: keptDays(days),
    removeBatch: createWalk(db, {
      name: 'remove_notices',
      text: `with looked as materialized (
               select id from notices where id > $1::uuid and id < $2::uuid order by id limit $3
             ), old as materialized (
               select n.id from notices n join looked on looked.id = n.id where n.settled_at < $4 for update of n skip locked
             ), removed as (
               delete from notices n using old where n.id = old.id returning 1
             )
             select (select id from looked order by id desc limit 1) as ended_at,
               (select count(*) from looked)::int as looked, (select count(*) from removed)::int as removed`,
    }),
    oldest: () => readFirst(db, 'notices'),
  };
}
