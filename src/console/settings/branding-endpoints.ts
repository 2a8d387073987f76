import { Type } from 'typebox';
import { type Brand, type BrandChange, readBrand, saveBrandSettings } from '../../branding/brand.ts';
import { type BrandText, listBrandTexts, saveBrandText, type TextKind, textKinds } from '../../branding/email-texts.ts';
import { cleanLogo, fitLogo, logoAddress, logoBytesMax, saveLogo } from '../../branding/logo.ts';
import { BrandFault, readBrandSettings, readBrandTexts, type SettingsInput } from '../../branding/read-brand-input.ts';
import type { Query } from '../../http/page-request.ts';
import { framedPageHeaders, pageHeaders } from '../../http/security-headers.ts';
import { countTry } from '../../identity/guess-limit.ts';
import { allEmailTexts, sendSample, writeSample } from '../../messages/brand-sample.ts';
import type { Language } from '../../platform/language.ts';
import { fromName } from '../../platform/mail.ts';
import { withPictures } from '../../platform/mailbox.ts';
import type { Tx } from '../../postgres/database.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { RawAnswer } from '../core/raw-answer.ts';
import { withReceivedBytes } from '../core/receive-file.ts';

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

/** An empty text means ours. */
function textsJson(texts: readonly BrandText[]) {
  return allEmailTexts(texts).map(({ subject, introduction, ...rest }) => {
    return { ...rest, subject: subject ?? '', introduction: introduction ?? '' };
  });
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

type SettingsBody = SettingsInput & { version: number };

function saveSettings(deps: ConsoleDeps, call: MemberCall<SettingsBody>) {
  const settings = refusingFaults(() => readBrandSettings(call.body));
  return change(deps, call, call.body.version, (tx, brand) => saveBrandSettings(deps.world, tx, brand, settings));
}

/** Throws `invalid_input` and `unknown_variable` with the property that is wrong. */
function refusingFaults<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BrandFault)) throw error;
    const { code, param, value } = error;
    throw new ConsoleError(code, { cause: error, param, ...(value === undefined ? {} : { value }) });
  }
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
  const texts = refusingFaults(() => readBrandTexts(call.body));
  return change(deps, call, version, (tx, brand) => saveBrandText(deps.world, tx, brand, { kind, language, ...texts }));
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
  const given = { subject: textOf(query.subject), introduction: textOf(query.introduction) };
  const texts = refusingFaults(() => readBrandTexts(given));
  const { account_id: accountId } = caller.membership;
  return writeSample(db, { accountId, kind, language, texts, origin: origin() });
}

/** Sends a sample with the saved texts to the caller. Throws `too_many_tries`. */
async function sendTest(
  { world, db, mail, origin }: ConsoleDeps,
  { caller, body }: MemberCall<{ kind: TextKind; language: Language }>,
) {
  await countTry(world, db, 'test_email', caller.person.id);
  const { account_id: accountId } = caller.membership;
  const sample = await writeSample(db, { accountId, ...body, texts: null, origin: origin() });
  const outcome = await sendSample(mail, sample, { id: world.newId(), address: caller.person.email });
  if (outcome.kind !== 'accepted') throw new ConsoleError('temporarily_unavailable');
  return { to: caller.person.email };
}

function isOneOf<Value extends string>(values: readonly Value[], value: unknown): value is Value {
  return values.some((each) => each === value);
}

function textOf(value: Query[string]): string {
  return typeof value === 'string' ? value : '';
}
