import { Type } from 'typebox';
import { accentPattern } from '../../branding/accent.ts';
import {
  type Brand,
  type BrandChange,
  type BrandSettings,
  isSenderName,
  readBrand,
  saveBrandSettings,
} from '../../branding/brand.ts';
import {
  type BrandText,
  findUnknownVariable,
  isBrandSubject,
  isIntroduction,
  listBrandTexts,
  saveBrandText,
  type TextKind,
  textKinds,
} from '../../branding/email-texts.ts';
import { cleanLogo, fitLogo, logoAddress, logoBytesMax, saveLogo } from '../../branding/logo.ts';
import type { Query } from '../../http/page-request.ts';
import { framedPageHeaders, pageHeaders } from '../../http/security-headers.ts';
import { countTry } from '../../identity/guess-limit.ts';
import { ourTexts } from '../../messages/recipient-messages.ts';
import { isPlausibleEmail } from '../../platform/email-address.ts';
import type { Language } from '../../platform/language.ts';
import { fromName } from '../../platform/mail.ts';
import { withPictures } from '../../platform/mailbox.ts';
import type { Tx } from '../../postgres/database.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { RawAnswer } from '../core/raw-answer.ts';
import { withReceivedBytes } from '../core/receive-file.ts';
import { writeSample } from './brand-preview.ts';

const version = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
/** Longer texts are refused by the rules of each property. */
const text = Type.String({ maxLength: 10_000 });

const settingsBody = Type.Object({
  version,
  /** An empty text means the default, here and in the next two properties. */
  accent: text,
  sender_name: text,
  reply_to: text,
  always_reply_to: Type.Boolean(),
});

const kind = Type.Enum([...textKinds]);
const language = Type.Enum(['en', 'es'] as Language[]);
const textsBody = Type.Object({ version, kind, language, subject: text, introduction: text });

/**
 * How a company looks to recipients. Changes name the version that they are based on, and are refused with `changed_meanwhile`
 * after a change of someone else. Each answers with the brand as it then is.
 */
export const brandingEndpoints = [
  forMembers('GET /branding', 'admin', {}, answerBrand),
  forMembers('POST /branding', 'admin', { body: settingsBody }, saveSettings),
  forMembers('POST /branding/logo', 'admin', { takesFile: true }, uploadLogo),
  forMembers('POST /branding/logo/remove', 'admin', { body: Type.Object({ version }) }, (deps, call) =>
    change(deps, call, call.body.version, (tx, brand) => saveLogo(deps.world, tx, brand, null)),
  ),
  forMembers('POST /branding/texts', 'admin', { body: textsBody }, saveText),
  forMembers('GET /branding/preview', 'admin', {}, async (deps, call) => {
    const { email, envelope } = await preview(deps, call);
    return { from: fromName(envelope.senderName), reply_to: envelope.replyTo ?? null, subject: email.subject };
  }),
  forMembers('GET /branding/preview/page', 'admin', {}, async (deps, call) => {
    const { email, envelope } = await preview(deps, call);
    return new RawAnswer(Buffer.from(withPictures(email.html, envelope.pictures ?? [])), emailPageHeaders);
  }),
  forMembers('POST /branding/test', 'admin', { body: Type.Object({ kind, language }) }, sendTest),
];

async function answerBrand({ db }: Pick<ConsoleDeps, 'db'>, { caller }: Pick<MemberCall, 'caller'>) {
  const { account_id: accountId } = caller.membership;
  const [brand, texts] = await Promise.all([readBrand(db, accountId), listBrandTexts(db, accountId)]);
  return { ...brandJson(brand), texts: textsJson(texts) };
}

/** Every e-mail in every language, with the company's texts, or '', and ours. */
function textsJson(texts: readonly BrandText[]) {
  return textKinds.flatMap((kind) =>
    (['en', 'es'] as const).map((language) => {
      const own = texts.find((text) => text.kind === kind && text.language === language);
      const { subject, introduction } = ourTexts(kind, language);
      return {
        kind,
        language,
        subject: own?.subject ?? '',
        introduction: own?.introduction ?? '',
        our_subject: subject,
        our_introduction: introduction,
      };
    }),
  );
}

/** The largest logo in the settings, in CSS pixels. */
const shownBox = { width: 320, height: 80 };

function brandJson({ version, accent, senderName, replyTo, alwaysReplyTo, logo }: Brand) {
  return {
    version,
    accent: accent ?? '',
    sender_name: senderName ?? '',
    reply_to: replyTo ?? '',
    always_reply_to: alwaysReplyTo,
    logo: logo && { address: logoAddress(logo), ...fitLogo(logo, shownBox) },
  };
}

type SettingsBody = {
  version: number;
  accent: string;
  sender_name: string;
  reply_to: string;
  always_reply_to: boolean;
};

function saveSettings(deps: ConsoleDeps, call: MemberCall<SettingsBody>) {
  const settings = readSettings(call.body);
  return change(deps, call, call.body.version, (tx, brand) => saveBrandSettings(deps.world, tx, brand, settings));
}

/** Throws `invalid_input` with the property that is wrong. */
function readSettings(body: SettingsBody): BrandSettings {
  const accent = body.accent.trim().toLowerCase();
  const senderName = body.sender_name.trim();
  const replyTo = body.reply_to.trim();
  if (accent !== '' && !accentPattern.test(accent)) throw new ConsoleError('invalid_input', { param: 'accent' });
  if (senderName !== '' && !isSenderName(senderName)) throw new ConsoleError('invalid_input', { param: 'sender_name' });
  if (replyTo === '' ? body.always_reply_to : !isPlausibleEmail(replyTo)) {
    throw new ConsoleError('invalid_input', { param: 'reply_to' });
  }
  return {
    accent: accent || null,
    senderName: senderName || null,
    replyTo: replyTo || null,
    alwaysReplyTo: body.always_reply_to,
  };
}

/** Takes `?version=` as the version. Throws `file_too_large`, `invalid_logo` and `too_many_tries`: checking takes time. */
async function uploadLogo(deps: ConsoleDeps, call: MemberCall) {
  const known = String(call.query.version ?? '');
  if (!/^\d{1,9}$/.test(known)) throw new ConsoleError('invalid_input', { param: 'version' });
  await countTry(deps.world, deps.db, 'logo', call.caller.membership.account_id);
  const logo = await withReceivedBytes(call, logoBytesMax, async (bytes) => cleanLogo(bytes));
  if (logo === null) throw new ConsoleError('invalid_logo');
  return change(deps, call, Number(known), (tx, brand) => saveLogo(deps.world, tx, brand, logo));
}

async function change(
  deps: ConsoleDeps,
  call: MemberCall<unknown>,
  version: number,
  save: (tx: Tx, change: BrandChange) => Promise<boolean>,
) {
  const { membership, person } = call.caller;
  const isSaved = await deps.db.transaction((tx) =>
    save(tx, { accountId: membership.account_id, personId: person.id, version }),
  );
  if (!isSaved) throw new ConsoleError('changed_meanwhile');
  return answerBrand(deps, call);
}

type TextsBody = { version: number; kind: TextKind; language: Language; subject: string; introduction: string };

function saveText(deps: ConsoleDeps, call: MemberCall<TextsBody>) {
  const { version, kind, language } = call.body;
  const texts = readTexts(call.body);
  return change(deps, call, version, (tx, brand) => saveBrandText(deps.world, tx, brand, { kind, language, ...texts }));
}

/** Throws `invalid_input` for a text that is too long or has invisible characters, and `unknown_variable`. */
function readTexts(given: { subject: string; introduction: string }) {
  const subject = given.subject.trim();
  const introduction = given.introduction.replaceAll(/\r\n?/g, '\n').trim();
  if (!isBrandSubject(subject)) throw new ConsoleError('invalid_input', { param: 'subject' });
  if (!isIntroduction(introduction)) throw new ConsoleError('invalid_input', { param: 'introduction' });
  for (const [param, text] of Object.entries({ subject, introduction })) {
    const value = findUnknownVariable(text);
    if (value !== null) throw new ConsoleError('unknown_variable', { param, value });
  }
  return { subject: subject || null, introduction: introduction || null };
}

/** The page of an e-mail, for a frame. It runs and loads nothing. Its styles are on its elements, as in mail programs. */
const emailPageHeaders = {
  ...pageHeaders,
  ...framedPageHeaders,
  'content-security-policy':
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
};

/** Writes the e-mail of `?kind=` and `?language=` with the texts `?subject=` and `?introduction=`, which need not be saved. */
function preview({ db, origin }: ConsoleDeps, { caller, query }: MemberCall) {
  const { kind, language } = query;
  if (!isOneOf(textKinds, kind)) throw new ConsoleError('invalid_input', { param: 'kind' });
  if (!isOneOf(['en', 'es'] as const, language)) throw new ConsoleError('invalid_input', { param: 'language' });
  const texts = readTexts({ subject: textOf(query.subject), introduction: textOf(query.introduction) });
  const { account_id: accountId } = caller.membership;
  return writeSample(db, { accountId, kind, language, texts, link: settingsLink(origin) });
}

/** Sends a sample with the saved texts to the caller. Throws `too_many_tries`. */
async function sendTest(
  { world, db, mail, origin }: ConsoleDeps,
  { caller, body }: MemberCall<{ kind: TextKind; language: Language }>,
) {
  await countTry(world, db, 'test_email', caller.person.id);
  const { account_id: accountId } = caller.membership;
  const { email, envelope } = await writeSample(db, { accountId, ...body, texts: null, link: settingsLink(origin) });
  const outcome = await mail.send({
    id: world.newId(),
    to: { name: '', address: caller.person.email },
    ...envelope,
    ...email,
  });
  if (outcome.kind !== 'accepted') throw new ConsoleError('temporarily_unavailable');
  return { to: caller.person.email };
}

function settingsLink(origin: () => string): string {
  return `${origin()}/settings/branding`;
}

function isOneOf<Value extends string>(values: readonly Value[], value: unknown): value is Value {
  return values.some((each) => each === value);
}

function textOf(value: Query[string]): string {
  return typeof value === 'string' ? value : '';
}
