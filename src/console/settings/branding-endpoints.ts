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
import { cleanLogo, fitLogo, logoAddress, logoBytesMax, saveLogo } from '../../branding/logo.ts';
import { isPlausibleEmail } from '../../platform/email-address.ts';
import type { Tx } from '../../postgres/database.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { withReceivedBytes } from '../core/receive-file.ts';

const version = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
/** Longer texts are refused by the rules of each property. */
const text = Type.String({ maxLength: 10_000 });

const settingsBody = Type.Object({
  version,
  /** '' for the default. So for the others. */
  accent: text,
  sender_name: text,
  reply_to: text,
  always_reply_to: Type.Boolean(),
});

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
];

async function answerBrand({ db }: Pick<ConsoleDeps, 'db'>, { caller }: Pick<MemberCall, 'caller'>) {
  return brandJson(await readBrand(db, caller.membership.account_id));
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

/** Takes `?version=` as the version. Throws `file_too_large` and `invalid_logo`. */
async function uploadLogo(deps: ConsoleDeps, call: MemberCall) {
  const known = String(call.query.version ?? '');
  if (!/^\d{1,9}$/.test(known)) throw new ConsoleError('invalid_input', { param: 'version' });
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
