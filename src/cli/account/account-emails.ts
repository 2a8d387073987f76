import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { readBrand } from '../../branding/brand.ts';
import { type BrandText, listBrandTexts, saveBrandText, type TextKind, textKinds } from '../../branding/email-texts.ts';
import { readBrandTexts } from '../../branding/read-brand-input.ts';
import { Refusal } from '../../errors.ts';
import { allEmailTexts, type EmailTexts, sendSample, writeSample } from '../../messages/brand-sample.ts';
import type { Language } from '../../platform/language.ts';
import { fromName } from '../../platform/mail.ts';
import { withPictures } from '../../platform/mailbox.ts';
import { openMail } from '../../platform/senders.ts';
import { emailOf, oneOf, UsageError } from '../core/arguments.ts';
import { pagesOrigin } from '../core/pages-origin.ts';
import { readJsonFile } from '../core/read-json-file.ts';
import { assertWritable, saveStream } from '../core/save-stream.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card, lines, oneLine } from '../core/terminal.ts';
import { assertSaved, refusingFaults } from './brand-refusals.ts';
import { findActiveCompany, findCompany } from './find-company.ts';

/** The e-mails to recipients: their texts, a preview and a test. */

interface EmailOptions {
  kind: TextKind;
  language: Language;
}

type TextOptions = Partial<EmailOptions> & { subject?: string; introduction?: string; file?: string };

/** Texts to save. A missing one stays as it is, an empty one or null stands for ours. */
interface TextInput extends EmailOptions {
  subject: string | null | undefined;
  introduction: string | null | undefined;
}

const languages = ['en', 'es'] as const;

export function defineEmails(account: Command): void {
  defineTexts(account);
  definePreview(account);
  defineTest(account);
}

const textsExamples = `
An empty text ("") stands for ours. The file has what --json prints: texts of one company can be given to another.

Examples:
  countersign account email-texts $ACCOUNT
  countersign account email-texts $ACCOUNT --kind request --language en --subject "Please sign {{document_title}}"
  countersign account email-texts $ACCOUNT --json > texts.json
  countersign account email-texts $OTHER --file texts.json`;

function defineTexts(account: Command): void {
  account
    .command('email-texts <id>')
    .description("show or change the texts of a company's e-mails to recipients")
    .option('--kind <kind>', `the e-mail to change: ${textKinds.join(', ')}`, oneOf('--kind', textKinds))
    .option('--language <language>', `its language: ${languages.join(', ')}`, oneOf('--language', languages))
    .option('--subject <text>', 'its subject, at most 150 characters')
    .option('--introduction <text>', 'its first paragraph, at most 600 characters')
    .option('--file <texts.json>', 'change all texts in this file; - reads standard input')
    .addHelpText('after', textsExamples)
    .action(async (id: string, options: TextOptions, command: Command) => {
      const inputs = await readInputs(options);
      const texts = await withDatabase(async (session) => {
        if (inputs.length > 0) await saveTexts(session, id, inputs);
        else await findCompany(session.db, id);
        return allEmailTexts(await listBrandTexts(session.db, id));
      });
      answer(command, texts, showTexts);
    });
}

async function readInputs({ kind, language, subject, introduction, file }: TextOptions): Promise<TextInput[]> {
  const isOne = [kind, language, subject, introduction].some((value) => value !== undefined);
  if (file !== undefined) {
    if (isOne) throw new UsageError('give --file alone, without the texts of one e-mail');
    return inputsOf(await readJsonFile(file), file);
  }
  if (!isOne) return [];
  if (kind === undefined || language === undefined || (subject === undefined && introduction === undefined)) {
    throw new UsageError('to change a text, give --kind, --language, and --subject or --introduction');
  }
  return [{ kind, language, subject, introduction }];
}

function inputsOf(content: unknown, path: string): TextInput[] {
  if (!Array.isArray(content) || content.length === 0 || !content.every(isInput)) {
    throw new Refusal(
      `${path} must have an array of objects with kind (${textKinds.join(', ')}), language (${languages.join(', ')}), subject and introduction`,
    );
  }
  const names = content.map(({ kind, language }) => `${kind} ${language}`);
  if (new Set(names).size < names.length) throw new Refusal(`${path} has an e-mail twice`);
  return content.map(({ kind, language, subject, introduction }) => ({ kind, language, subject, introduction }));
}

function isInput(value: unknown): value is TextInput {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, language, subject, introduction } = value as Record<string, unknown>;
  const isText = (text: unknown) => text === undefined || text === null || typeof text === 'string';
  return (
    textKinds.some((each) => each === kind) &&
    languages.some((each) => each === language) &&
    isText(subject) &&
    isText(introduction)
  );
}

/** Saves all texts, or none of them. */
async function saveTexts({ world, db }: Session, id: string, inputs: readonly TextInput[]): Promise<void> {
  await db.transaction(async (tx) => {
    await findActiveCompany(tx, id);
    const [{ version }, present] = await Promise.all([readBrand(tx, id), listBrandTexts(tx, id)]);
    for (const [index, input] of inputs.entries()) {
      const change = { accountId: id, personId: null, version: version + index };
      assertSaved(await saveBrandText(world, tx, change, textOf(input, present)));
    }
  });
}

function textOf({ kind, language, subject, introduction }: TextInput, present: readonly BrandText[]): BrandText {
  const own = present.find((text) => text.kind === kind && text.language === language);
  const texts = refusingFaults(() =>
    readBrandTexts({
      subject: (subject === undefined ? own?.subject : subject) ?? '',
      introduction: (introduction === undefined ? own?.introduction : introduction) ?? '',
    }),
  );
  return { kind, language, ...texts };
}

function showTexts(texts: readonly EmailTexts[]): string {
  return texts
    .map(({ kind, language, subject, introduction, our_subject, our_introduction }) => {
      const shown = (text: string | null, ours: string) => lines(text ?? `${ours} (ours)`, '  ');
      return `${kind}, ${language}\n${shown(subject, our_subject)}\n${shown(introduction, our_introduction)}\n`;
    })
    .join('\n');
}

const emailExamples = (verb: string, more: string) => `
Examples:
  countersign account ${verb} $ACCOUNT --kind request --language en${more}`;

function emailCommand(account: Command, name: string): Command {
  return account
    .command(`${name} <id>`)
    .requiredOption('--kind <kind>', `one of ${textKinds.join(', ')}`, oneOf('--kind', textKinds))
    .requiredOption('--language <language>', `one of ${languages.join(', ')}`, oneOf('--language', languages));
}

function definePreview(account: Command): void {
  emailCommand(account, 'preview-email')
    .description('show an e-mail to a recipient with sample data, as it is sent')
    .option('--out <file>', 'save it as a page too')
    .option('--force', 'replace the file')
    .addHelpText('after', emailExamples('preview-email', ' --out request.html'))
    .action(async (id: string, options: EmailOptions & { out?: string; force?: true }, command: Command) => {
      const { out, force = false } = options;
      if (out !== undefined) await assertWritable(out, force);
      const { email, envelope } = await withDatabase(async (session) => {
        await findCompany(session.db, id);
        return sampleOf(session, id, options);
      });
      const page = withPictures(email.html, envelope.pictures ?? []);
      if (out !== undefined) await saveStream(Readable.from([Buffer.from(page)]), out, force);
      const { senderName, replyTo } = envelope;
      const preview = {
        from: fromName(senderName) ?? null,
        reply_to: replyTo ?? null,
        subject: email.subject,
        text: email.text,
      };
      answer(command, preview, ({ text, ...head }) => `${card(head)}\n${lines(text, '')}\n`);
    });
}

function defineTest(account: Command): void {
  emailCommand(account, 'test-email')
    .description('send an e-mail to a recipient with sample data to an address of yours')
    .requiredOption('--to <address>', 'where it goes', emailOf('--to'))
    .addHelpText('after', emailExamples('test-email', ' --to ada@example.com'))
    .action(async (id: string, options: EmailOptions & { to: string }, command: Command) => {
      const sent = await withDatabase(async (session) => {
        await findActiveCompany(session.db, id);
        return sendTest(session, id, options);
      });
      answer(command, sent, ({ to }) => `sent to ${oneLine(to)}\n`);
    });
}

async function sendTest(session: Session, id: string, options: EmailOptions & { to: string }) {
  const mail = openMail(session.config);
  try {
    const sample = await sampleOf(session, id, options);
    const outcome = await sendSample(mail, sample, { id: session.world.newId(), address: options.to });
    if (outcome.kind !== 'accepted') throw new Refusal(`the e-mail was not sent: ${outcome.reason}`);
    return { to: options.to };
  } finally {
    await mail.close();
  }
}

async function sampleOf({ config, db }: Session, accountId: string, { kind, language }: EmailOptions) {
  return writeSample(db, { accountId, kind, language, texts: null, origin: await pagesOrigin(config) });
}
