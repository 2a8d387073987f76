import { readAccountName } from '../accounts/manage-accounts.ts';
import type { ExportJob } from '../messages/job-queue.ts';
import { type Notice, sendNotice } from '../messages/notice.ts';
import type { Language } from '../platform/language.ts';
import type { MailSender } from '../platform/mail.ts';
import { oneLine } from '../platform/mail-text.ts';
import type { Queryable } from '../postgres/database.ts';
import { type DataExport, findExport } from './data-exports.ts';

/**
 * Sends the owner who asked for an export an e-mail: it is ready, or it failed. The link leads to the console, where they sign
 * in. Skips it if the export was deleted, or they are no owner any more. Throws if the mail server is unavailable.
 */
export async function sendExportNotice(db: Queryable, mail: MailSender, origin: string, job: ExportJob): Promise<void> {
  const found = await findExport(db, job.accountId, job.dataExportId);
  if (found === null || (found.status !== 'ready' && found.status !== 'failed')) return;
  const [owner] = await db.query<{ email: string }>({
    name: 'find_owner_of_data_export',
    text: `select m.email from people p join members m on m.canonical_email = p.canonical_email
           join accounts a on a.id = m.account_id and a.removed_at is null
           where m.account_id = $1 and p.id = $2 and m.role = 'owner'`,
    values: [job.accountId, found.requested_by],
  });
  if (owner === undefined) return;
  const name = oneLine(await readAccountName(db, job.accountId));
  const texts = (found.status === 'ready' ? readyTexts : failedTexts)[found.language](name, found);
  const notice: Notice = { language: found.language, ...texts, link: `${origin}/settings/data-export` };
  await sendNotice(mail, { messageId: job.messageId, address: owner.email }, notice);
}

type Texts = Record<Language, (name: string, found: DataExport) => Pick<Notice, 'subject' | 'paragraphs'>>;

const dayOf = ({ expires_at }: DataExport) => expires_at?.slice(0, 10) ?? '';

const readyTexts: Texts = {
  en: (name, found) => ({
    subject: `The data export of ${name} is ready`,
    paragraphs: [
      `The data export of ${name} is ready. You can download it until ${dayOf(found)}. Sign in as an owner:`,
    ],
  }),
  es: (name, found) => ({
    subject: `La exportación de datos de ${name} está lista`,
    paragraphs: [
      `La exportación de datos de ${name} está lista. Puede descargarla hasta el ${dayOf(found)}. Inicie sesión como propietario:`,
    ],
  }),
};

const failedTexts: Texts = {
  en: (name) => ({
    subject: `The data export of ${name} failed`,
    paragraphs: [
      `The data export of ${name} could not be created. The reason is on this page, where you can start it again:`,
    ],
  }),
  es: (name) => ({
    subject: `La exportación de datos de ${name} ha fallado`,
    paragraphs: [
      `No se pudo crear la exportación de datos de ${name}. El motivo está en esta página, donde puede iniciarla de nuevo:`,
    ],
  }),
};
