import type { Command } from 'commander';
import {
  isCopiesText,
  lockSigningSettings,
  readSigningSettings,
  type SigningSettings,
  setSigningSettings,
} from '../../accounts/signing-settings.ts';
import { oneOf, UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { findActiveCompany, findCompany } from './find-company.ts';

type Switch = 'on' | 'off';

interface Options {
  askConsent?: Switch;
  copiesContact?: string;
  copiesCost?: string;
  printId?: Switch;
  delegation?: Switch;
  comments?: Switch;
  contacts?: (typeof contactForms)[number];
  devices?: (typeof deviceForms)[number];
}

const examples = `
Examples:
  countersign account signing $ACCOUNT
  countersign account signing $ACCOUNT --ask-consent on --copies-contact records@acme.example
  countersign account signing $ACCOUNT --copies-contact '' --print-id on
  countersign account signing $ACCOUNT --contacts masked --devices shown`;

const switches = ['on', 'off'] as const;
const contactForms = ['full', 'masked'] as const;
const deviceForms = ['shown', 'hidden'] as const;

export function defineSigning(account: Command): void {
  account
    .command('signing <id>')
    .description('show or change what recipients agree to and may do, and what sealed PDFs show')
    .option(
      '--ask-consent <on|off>',
      'whether recipients must tick a box before signing',
      oneOf('--ask-consent', switches),
    )
    .option('--copies-contact <text>', 'contact for printed copies; empty for none', copiesText('--copies-contact'))
    .option('--copies-cost <text>', 'cost of a printed copy; empty for none', copiesText('--copies-cost'))
    .option('--print-id <on|off>', "whether every page has the document's id", oneOf('--print-id', switches))
    .option('--delegation <on|off>', 'whether recipients may name someone else', oneOf('--delegation', switches))
    .option('--comments <on|off>', 'whether recipients may write comments to the sender', oneOf('--comments', switches))
    .option(
      '--contacts <full|masked>',
      'e-mail addresses and phone numbers on certificates of completion',
      oneOf('--contacts', contactForms),
    )
    .option(
      '--devices <shown|hidden>',
      'IP addresses and devices of recipients in sealed PDFs',
      oneOf('--devices', deviceForms),
    )
    .addHelpText('after', examples)
    .action(async (id: string, options: Options, command: Command) => {
      const settings = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          if (isEmpty(options)) return readSigningSettings(tx, (await findCompany(tx, id)).id);
          await findActiveCompany(tx, id);
          const chosen = changed(await lockSigningSettings(tx, id), options);
          return byId('account', id, () => setSigningSettings(world, tx, id, chosen, null));
        }),
      );
      answer(command, { id, ...settings }, card);
    });
}

/** Whether nothing is to be changed. */
function isEmpty(options: Options): boolean {
  const { askConsent, copiesContact, copiesCost, printId, delegation, comments, contacts, devices } = options;
  const given = [askConsent, copiesContact, copiesCost, printId, delegation, comments, contacts, devices];
  return given.every((option) => option === undefined);
}

function changed(
  before: SigningSettings,
  { askConsent, copiesContact, copiesCost, printId, delegation, comments, contacts, devices }: Options,
): SigningSettings {
  return {
    asks_consent: askConsent === undefined ? before.asks_consent : askConsent === 'on',
    copies_contact: copiesContact === undefined ? before.copies_contact : copiesContact || null,
    copies_cost: copiesCost === undefined ? before.copies_cost : copiesCost || null,
    prints_document_id: printId === undefined ? before.prints_document_id : printId === 'on',
    allows_delegation: delegation === undefined ? before.allows_delegation : delegation === 'on',
    allows_comments: comments === undefined ? before.allows_comments : comments === 'on',
    masks_contacts: contacts === undefined ? before.masks_contacts : contacts === 'masked',
    shows_devices: devices === undefined ? before.shows_devices : devices === 'shown',
  };
}

/** Reads a text about printed copies. Empty: none. */
function copiesText(option: string): (value: string) => string {
  return (value) => {
    const text = value.trim();
    if (text !== '' && !isCopiesText(text))
      throw new UsageError(`${option} must be one visible line of at most 200 characters`);
    return text;
  };
}
