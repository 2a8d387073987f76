import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type NoticeReader, type SenderNoticeKind, senderNoticeKinds } from '../accounts/own-notices.ts';
import { isUuid } from '../platform/ids.ts';

/** What a link switches off: one notice, for one person in one company. */
export interface Unsubscription extends NoticeReader {
  kind: SenderNoticeKind;
}

/**
 * Links in notices to senders, which work without signing in. A token is signed, not stored: it can only switch off the notice
 * that it names, and ends with the membership.
 */
export interface UnsubscribeLinks {
  /** The path of a link. */
  pathOf(unsubscription: Unsubscription): string;
  /** Null: nobody here has made this token. */
  read(token: string): Unsubscription | null;
}

/** Where the links lead. */
export const unsubscribePath = '/unsubscribe/:token';

const tokenLengthMax = 400;

/** `previousKey`: the former SECRET_KEY, as long as e-mails may have its links. */
export function createUnsubscribeLinks(secretKey: Buffer, previousKey: Buffer | null): UnsubscribeLinks {
  const key = derive(secretKey);
  const keys = previousKey === null ? [key] : [key, derive(previousKey)];
  return {
    pathOf({ accountId, memberId, kind }) {
      const subject = `${accountId}.${memberId}.${kind}`;
      return unsubscribePath.replace(':token', `${subject}.${sign(key, subject).toString('base64url')}`);
    },
    read(token) {
      const parts = token.length > tokenLengthMax ? [] : token.split('.');
      const [accountId = '', memberId = '', kind = '', signature = ''] = parts;
      const given = Buffer.from(signature, 'base64url');
      const known = senderNoticeKinds.find((each) => each === kind);
      if (parts.length !== 4 || !isUuid(accountId) || !isUuid(memberId) || known === undefined) return null;
      const isSigned = keys.some((each) => {
        const expected = sign(each, `${accountId}.${memberId}.${kind}`);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      return isSigned ? { accountId, memberId, kind: known } : null;
    },
  };
}

function derive(secretKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'countersign unsubscribe links', 32));
}

function sign(key: Buffer, subject: string): Buffer {
  return createHmac('sha256', key).update(subject).digest();
}
