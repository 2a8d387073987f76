import { constants, existsSync } from 'node:fs';
import { access, mkdtemp, rmdir, statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { readPlanTable } from '../../accounts/plans.ts';
import type { Config } from '../../config.ts';
import { OperatorError } from '../../errors.ts';
import { readTrustAnchors } from '../../pdf/signatures/read-trust-anchors.ts';
import { openSigningKey } from '../../pdf/signing-key/open-signing-key.ts';
import { createFileStore } from '../../platform/files.ts';
import { createLog } from '../../platform/log.ts';
import { createSmtpMail, parseSender } from '../../platform/mail.ts';
import { createSms } from '../../platform/sms.ts';
import { createPdfWorker } from '../../sealing/pdf-worker.ts';
import { readSettings } from '../core/session.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkOutboundProxy } from './doctor-proxy.ts';
import { type Finding, failed, finding } from './finding.ts';

const networkMsMax = 10_000;

/** Checks everything that the service needs. Changes and creates nothing. */
export async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readSettings();
    readPlanTable(config.plansFile);
  } catch (error) {
    return [failed('settings', error)];
  }
  const settings = `Node ${process.version}, role ${config.role}, listens on ${config.host}:${config.port}`;
  const findings = await Promise.all([
    finding('data directory', () => checkDataDir(config.dataDir)),
    checkDatabase(config),
    finding('files', () => checkFiles(config)),
    finding('signing certificate', () => checkCertificate(config)),
    finding('time stamps', () => checkTimeStamps(config)),
    finding('e-mail', () => checkMail(config)),
    finding('SMS', () => checkSms(config)),
    finding('e-signature vendor', () => checkEsign(config)),
    finding('outbound proxy', () => checkOutboundProxy(config)),
  ]);
  return [{ check: 'settings', ok: true, detail: settings }, ...findings.flat()];
}

async function checkDataDir(dataDir: string): Promise<string> {
  if (!existsSync(dataDir)) {
    await access(nearestExisting(dataDir), constants.W_OK | constants.X_OK);
    return `${dataDir} is made at the first start`;
  }
  const probe = await mkdtemp(join(dataDir, '.doctor-'));
  await rmdir(probe);
  const { bavail, bsize } = await statfs(dataDir);
  return `${dataDir}, ${((bavail * bsize) / 2 ** 30).toFixed(1)} GiB free`;
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/** Asks the store for a missing file. Fails when the store is unreachable or refuses our credentials. */
async function checkFiles(config: Config): Promise<string> {
  await createFileStore(config.filesUrl, config.s3).has('doctor/absent');
  return config.filesUrl;
}

/** Signs a test page with the configured certificate, as the service does when it starts. */
async function checkCertificate({ signingCertificate, signingKey, dataDir }: Config): Promise<string> {
  if (signingCertificate === null) {
    const file = join(dataDir, 'signing-certificate.p12');
    if (!existsSync(file)) return 'self-signed, made at the first start';
    await access(file, constants.R_OK);
    return `self-signed, ${file}`;
  }
  const pdf = createPdfWorker({
    certificate: signingCertificate,
    signingKey: signingKey && (await openSigningKey(signingKey)),
    tsaUrl: null,
    processes: 1,
    timeoutMs: 60_000,
    memoryMaxBytes: 512 * 1024 * 1024,
    log: createLog('silent'),
  });
  try {
    const { subject, key, notAfter } = await pdf.checkCertificate();
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
