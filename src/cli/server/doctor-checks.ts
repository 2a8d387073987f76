import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { readPlanTable } from '../../accounts/plans.ts';
import { type Config, processEnvironment, readConfig } from '../../config.ts';
import { OperatorError } from '../../errors.ts';
import { certificatePassword, checkCertificate } from '../../open-pdf.ts';
import { certificateAlarmDays, daysLeft } from '../../pdf/signatures/days-left.ts';
import { readTrustAnchors } from '../../pdf/signatures/read-trust-anchors.ts';
import type { SigningCertificateFile } from '../../pdf/signatures/signing-certificate.ts';
import { openSigningKey } from '../../pdf/signing-key/open-signing-key.ts';
import { createFileStore, type FileStore, localDirectoryOf, readStoredFile } from '../../platform/files.ts';
import { createLog } from '../../platform/log.ts';
import { createSmtpMail, parseSender } from '../../platform/mail.ts';
import { systemRandom } from '../../platform/random.ts';
import { readSecretKey } from '../../platform/secret-key.ts';
import { createSms } from '../../platform/sms.ts';
import { createPdfWorker } from '../../sealing/pdf-worker.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkOutboundProxy } from './doctor-proxy.ts';
import { type Finding, failed, finding } from './finding.ts';

const networkMsMax = 10_000;
/** Of the file that is written to see whether the disk takes it. */
const probeBytes = 1 << 20;
/** Less is as good as full: the service would stop taking documents soon. */
const freeBytesMin = 100 * 2 ** 20;

/** Checks everything that the service needs, and leaves everything as it was. */
export async function examine(): Promise<Finding[]> {
  let config: Config;
  const concerns: string[] = [];
  try {
    config = readConfig(processEnvironment((concern) => concerns.push(concern)));
    readPlanTable(config.plansFile);
  } catch (error) {
    return [failed('settings', error)];
  }
  const settings = `Node ${process.version}, role ${config.role}, listens on ${config.host}:${config.port}`;
  const findings = await Promise.all([
    finding('data directory', () => checkDataDir(config.dataDir)),
    checkDatabase(config),
    finding('files', () => checkFiles(config)),
    finding('signing certificate', () => checkSigning(config)),
    finding('time stamps', () => checkTimeStamps(config)),
    finding('e-mail', () => checkMail(config)),
    finding('SMS', () => checkSms(config)),
    finding('e-signature vendor', () => checkEsign(config)),
    finding('outbound proxy', () => checkOutboundProxy(config)),
  ]);
  const detail = concerns.length === 0 ? settings : concerns.join('; ');
  return [{ check: 'settings', ok: concerns.length === 0, detail }, ...findings.flat()];
}

async function checkDataDir(dataDir: string): Promise<string> {
  const isNew = !existsSync(dataDir);
  await checkDirectory(dataDir);
  if (isNew) return `${dataDir} is made at the first start`;
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free < freeBytesMin) throw new OperatorError(`${dataDir} has ${(free / 2 ** 20).toFixed(0)} MiB free: make room`);
  const open = await openToOthers(dataDir);
  if (open.length > 0)
    throw new OperatorError(`other users of this machine can read ${open.join(' and ')}: run chmod 600`);
  return `${dataDir}, ${(free / 2 ** 30).toFixed(1)} GiB free`;
}

/** Checks that files can be written to a directory, or to its nearest parent if it will be made. */
async function checkDirectory(path: string): Promise<void> {
  const directory = nearestExisting(path);
  // A full disk still takes an empty directory. Nothing can be made in some, such as /proc, although their mode allows it.
  const probe = await mkdtemp(join(directory, '.doctor-')).catch((cause) => {
    throw new OperatorError(`nothing can be made in ${directory}: ${cause.message}`, { cause });
  });
  try {
    await writeFile(join(probe, 'probe'), Buffer.alloc(probeBytes), { flush: true });
  } catch (cause) {
    throw new OperatorError(`${directory} takes no files: ${(cause as Error).message}`, { cause });
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** Names the files with keys that are not for their owner alone. */
async function openToOthers(dataDir: string): Promise<string[]> {
  const canEnter = ((await stat(dataDir)).mode & 0o001) !== 0;
  if (!canEnter) return [];
  const files = ['secret.key', 'signing-certificate.p12'].map((name) => join(dataDir, name));
  const modes = await Promise.all(files.map(async (file) => (existsSync(file) ? (await stat(file)).mode : 0)));
  return files.filter((_, index) => ((modes[index] ?? 0) & 0o007) !== 0);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/** Writes and removes a file. In a bucket, it reads it too. */
async function checkFiles({ filesUrl, s3 }: Config): Promise<string> {
  const directory = localDirectoryOf(filesUrl);
  if (directory === null) await checkBucket(createFileStore(filesUrl, s3));
  else await checkDirectory(directory);
  return filesUrl;
}

async function checkBucket(files: FileStore): Promise<void> {
  const key = `doctor/${systemRandom.bytes(12).toString('hex')}`;
  await files.put(key, Buffer.from('countersign doctor'));
  try {
    const file = await files.get(key);
    if (file === null) throw new OperatorError(`the file store lost ${key}, which it had just taken`);
    await readStoredFile(file, probeBytes);
  } finally {
    await files.remove(key);
  }
}

/** Signs a test page, as the service does when it starts. */
async function checkSigning(config: Config): Promise<string> {
  if (config.signingCertificate !== null) return signTestPage(config, config.signingCertificate);
  const file = join(config.dataDir, 'signing-certificate.p12');
  if (!existsSync(file)) return 'self-signed, made at the first start';
  const key = config.secretKey ?? (await readSecretKey(config.dataDir));
  if (key === null) throw new OperatorError(`${join(config.dataDir, 'secret.key')}, which encrypts it, is missing`);
  const signWith = (secret: Buffer) => signTestPage(config, { file, password: certificatePassword(secret) });
  const previous = config.previousSecretKey;
  // Until the service has started with a new SECRET_KEY, the one before encrypts the certificate.
  const signed = signWith(key).catch((error) => {
    if (previous === null) throw error;
    return signWith(previous).catch(() => Promise.reject(error));
  });
  return `self-signed, ${await signed}`;
}

/** Returns a summary of the certificate. */
async function signTestPage(config: Config, certificate: SigningCertificateFile): Promise<string> {
  const pdf = createPdfWorker({
    certificate,
    signingKey: config.signingKey && (await openSigningKey(config.signingKey)),
    tsaUrl: null,
    processes: 1,
    timeoutMs: 60_000,
    memoryMaxBytes: 512 * 1024 * 1024,
    log: createLog('silent'),
  });
  try {
    const summary = await checkCertificate(pdf, config);
    const { subject, key, notAfter } = summary;
    if (daysLeft(summary, new Date()) < certificateAlarmDays)
      throw new OperatorError(
        `${subject} ends on ${notAfter}: replace it before then, because nothing is sealed after`,
      );
    return `${subject}, ${key}, valid until ${notAfter}`;
  } finally {
    await pdf.close();
  }
}

/** Checks the time-stamp authority: the service cannot seal without it. */
async function checkTimeStamps({ tsaUrl, tsaTrustFile }: Config): Promise<string> {
  await readTrustAnchors(tsaTrustFile);
  if (tsaUrl === null) return 'none asked for (TSA_URL is not set)';
  const { hostname, port, protocol, host } = new URL(tsaUrl);
  await canConnect(hostname, Number(port) || (protocol === 'https:' ? 443 : 80)).catch((cause) => {
    throw new OperatorError(`TSA_URL: ${host} cannot be reached: ${cause.message}`);
  });
  return `${host} answers`;
}

async function checkMail({ smtpUrl, mailFrom, dataDir }: Config): Promise<string> {
  parseSender(mailFrom);
  if (smtpUrl === null) return `SMTP_URL is not set: e-mail goes to the local mailbox in ${join(dataDir, 'mailbox')}`;
  await createSmtpMail({ url: smtpUrl, from: mailFrom }).close(); // refuses settings that cannot work
  const { createTransport } = await import('nodemailer');
  const limits = { connectionTimeout: networkMsMax, greetingTimeout: networkMsMax, socketTimeout: networkMsMax };
  const transport = createTransport({ url: smtpUrl, ...limits });
  const { host } = new URL(smtpUrl);
  await transport.verify().catch((cause) => {
    throw new OperatorError(`SMTP_URL: ${host} does not take our mail: ${cause.message}`);
  });
  return `${host} answers and takes our credentials`;
}

/** Checks the setting only: providers offer no test without sending. */
async function checkSms({ smsUrl, dataDir }: Config): Promise<string> {
  if (smsUrl === null) return `SMS_URL is not set: messages go to the local mailbox in ${join(dataDir, 'mailbox')}`;
  createSms(smsUrl);
  return `through ${new URL(smsUrl).protocol.slice(0, -1)}, not tried`;
}

/** Checks the address only: the first consent shows whether the vendor knows our client. */
async function checkEsign({ esign: { oauthUrl, client } }: Config): Promise<string> {
  if (client === null) return 'ESIGN_CLIENT_ID is not set: nobody can connect an account there';
  const { hostname, port, protocol, host } = new URL(oauthUrl);
  await canConnect(hostname, Number(port) || (protocol === 'https:' ? 443 : 80)).catch((cause) => {
    throw new OperatorError(`ESIGN_OAUTH_URL: ${host} cannot be reached: ${cause.message}`);
  });
  return `${host} answers`;
}

async function canConnect(host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port, timeout: networkMsMax });
    socket.once('connect', resolve).once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${networkMsMax / 1000} s`)));
    socket.once('connect', () => socket.destroy());
  });
}
