import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Brand, readBrand, saveBrandSettings } from '../../branding/brand.ts';
import { type CleanLogo, cleanLogo, logoBytesMax, saveLogo } from '../../branding/logo.ts';
import { readBrandSettings } from '../../branding/read-brand-input.ts';
import { Refusal } from '../../errors.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { oneOf, UsageError } from '../core/arguments.ts';
import { findFile } from '../core/find-file.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { assertSaved, refusingFaults } from './brand-refusals.ts';
import { findActiveCompany, findCompany } from './find-company.ts';

interface Options {
  accent?: string;
  senderName?: string;
  replyTo?: string;
  alwaysReplyTo?: 'on' | 'off';
  logo?: string;
  removeLogo?: true;
}

const examples = `
An empty value ("") stands for the default.

Examples:
  countersign account branding $ACCOUNT
  countersign account branding $ACCOUNT --accent '#1d63d8' --logo logo.png
  countersign account branding $ACCOUNT --sender-name "Acme Roofing" --reply-to office@example.com --always-reply-to on
  countersign account branding $ACCOUNT --accent "" --remove-logo`;

export function defineBranding(account: Command): void {
  account
    .command('branding <id>')
    .description('show or change how a company looks to recipients: logo, colour, sender')
    .option('--accent <colour>', "colour of the main button, such as '#1d63d8'")
    .option('--sender-name <name>', 'the name in front of "via Countersign" in e-mails, at most 60 characters')
    .option('--reply-to <address>', 'where answers go when no member sent the document')
    .option(
      '--always-reply-to <on|off>',
      'whether answers go there even when a member sent it',
      oneOf('--always-reply-to', ['on', 'off']),
    )
    .option('--logo <file>', 'a PNG or JPEG of at most 512 KB and 1000 × 500 pixels')
    .option('--remove-logo', 'show the name of the company instead of a logo')
    .addHelpText('after', examples)
    .action(async (id: string, { logo, removeLogo, ...options }: Options, command: Command) => {
      if (logo !== undefined && removeLogo) throw new UsageError('give --logo or --remove-logo, not both');
      const picture = removeLogo ? null : logo === undefined ? undefined : await readLogoFile(logo);
      const isChange = picture !== undefined || Object.keys(options).some((name) => name !== 'json');
      const brand = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          if (isChange) await change(world, tx, id, options, picture);
          else await findCompany(tx, id);
          return readBrand(tx, id);
        }),
      );
      answer(command, brandJson(id, brand), card);
    });
}

/** Checks and cleans the picture as the console does. */
async function readLogoFile(path: string): Promise<CleanLogo> {
  const { size } = await findFile(path);
  if (size > logoBytesMax) throw new Refusal(`${path} is larger than ${logoBytesMax / 1024} KB`);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`${path} cannot be read: ${error.code}`);
  });
  const logo = cleanLogo(bytes);
  if (logo === null) {
    throw new Refusal(`${path} is not a PNG without interlacing, or a JPEG, of at most 1000 × 500 pixels`);
  }
  return logo;
}

/** `picture`: undefined leaves the logo as it is, null removes it. */
async function change(
  world: World,
  tx: Tx,
  id: string,
  options: Options,
  picture: CleanLogo | null | undefined,
): Promise<void> {
  await findActiveCompany(tx, id);
  const present = await readBrand(tx, id);
  const { accent, senderName, replyTo, alwaysReplyTo } = options;
  let { version } = present;
  if ([accent, senderName, replyTo, alwaysReplyTo].some((value) => value !== undefined)) {
    const settings = refusingFaults(() =>
      readBrandSettings({
        accent: accent ?? present.accent ?? '',
        sender_name: senderName ?? present.senderName ?? '',
        reply_to: replyTo ?? present.replyTo ?? '',
        always_reply_to: alwaysReplyTo === undefined ? present.alwaysReplyTo : alwaysReplyTo === 'on',
      }),
    );
    assertSaved(await saveBrandSettings(world, tx, { accountId: id, personId: null, version }, settings));
    version += 1;
  }
  if (picture === undefined) return;
  assertSaved(await saveLogo(world, tx, { accountId: id, personId: null, version }, picture));
}

function brandJson(id: string, { version, accent, senderName, replyTo, alwaysReplyTo, logo }: Brand) {
  return {
    id,
    version,
    accent,
    sender_name: senderName,
    reply_to: replyTo,
    always_reply_to: alwaysReplyTo,
    logo,
  };
}
