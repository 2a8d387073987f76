import type { AccountAction } from '../accounts/account-audit.ts';
import type { Language } from '../platform/language.ts';

type Doer = 'operator' | 'service' | 'unknown';

/** What entries say of who made them, if it is nobody with an address. */
export const doerNames: Record<Language, Record<Doer | 'erased', string>> = {
  en: { operator: 'Operator', service: 'Countersign', erased: 'Erased person', unknown: 'Someone' },
  es: { operator: 'Operador', service: 'Countersign', erased: 'Persona borrada', unknown: 'Alguien' },
};

interface Act {
  action: AccountAction;
  /** The detail `by` of the entry. Absent: any. */
  by?: string;
  doer: Doer;
}

/**
 * Entries without a person that the operator didn't make. The service ends bulk sends whose template changed, looks up the
 * DNS records of custom domains by itself, and changes roles as the groups of single sign-on say.
 */
const others: readonly Act[] = [
  { action: 'sign_in_failed', doer: 'unknown' },
  { action: 'bulk_send_stopped', doer: 'service' },
  { action: 'custom_domain_broken', doer: 'service' },
  { action: 'custom_domain_activated', by: 'dns', doer: 'service' },
  { action: 'member_role_changed', by: 'sso', doer: 'service' },
];

/** Returns who made an entry without a person. `unknown`: someone who was refused, and may be no member. */
export function doerWithoutPerson(action: AccountAction, detail: Record<string, unknown>): Doer {
  const act = others.find((other) => other.action === action && (other.by === undefined || other.by === detail.by));
  return act?.doer ?? 'operator';
}

/** SQL for the same. `e`: the alias of the entry. */
export function doerWithoutPersonSql(e: string): string {
  const cases = others.map(({ action, by, doer }) => {
    const isIt = `${e}.action = '${action}'${by === undefined ? '' : ` and ${e}.detail ->> 'by' = '${by}'`}`;
    return `when ${isIt} then '${doer}'`;
  });
  return `case ${cases.join(' ')} else 'operator' end`;
}

/** What the address of an erased person ends with (src/erasure/erase-person.ts). */
const erasedEnd = '@erased.invalid';

export function isErasedEmail(email: string): boolean {
  return email.endsWith(erasedEnd);
}

/** SQL for who made an entry: a key of `doerNames`, or empty for someone with an address. `p`: the alias of the person, or of nulls. */
export function doerSql(e: string, p: string): string {
  return `case when ${p}.email is null then ${doerWithoutPersonSql(e)}
    when ${p}.email like '%${erasedEnd}' then 'erased' else '' end`;
}

/** Returns who is called by a word, in either language. */
export function doersWithWord(word: string): string[] {
  const wanted = word.toLowerCase();
  const kinds = Object.keys(doerNames.en) as (keyof typeof doerNames.en)[];
  return kinds.filter((kind) =>
    [kind, doerNames.en[kind], doerNames.es[kind]].some((name) => name.toLowerCase().includes(wanted)),
  );
}
