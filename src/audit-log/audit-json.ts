import type { Language } from '../platform/language.ts';
import { describeAction } from './audit-sentences.ts';
import type { LoggedAction } from './read-audit-log.ts';
import { doerNames, doerWithoutPerson, isErasedEmail } from './who-without-person.ts';

/**
 * Who did something. `service`: Countersign by itself. `erased`: someone whose data was erased. `unknown`: someone who was refused,
 * and may be no member.
 */
export interface AuditActor {
  kind: 'person' | 'operator' | 'service' | 'erased' | 'unknown';
  email: string | null;
  /** Whether they are a member now. */
  is_member: boolean;
}

/** An entry as the console, exports and the command line show it. `text`: the sentence after the name of who did it. */
export function auditJson({ id, at, action, detail, person_id, email, is_member }: LoggedAction, language: Language) {
  const by: AuditActor =
    person_id === null
      ? { kind: doerWithoutPerson(action, detail), email: null, is_member: false }
      : actorOf(email, is_member);
  return { id, at, action, by, text: describeAction(action, detail, language), detail };
}

export type AuditJson = ReturnType<typeof auditJson>;

function actorOf(email: string | null, isMember: boolean): AuditActor {
  if (email === null || isErasedEmail(email)) return { kind: 'erased', email: null, is_member: false };
  return { kind: 'person', email, is_member: isMember };
}

export function actorName({ kind, email }: AuditActor, language: Language): string {
  return kind === 'person' ? (email ?? '') : doerNames[language][kind];
}
