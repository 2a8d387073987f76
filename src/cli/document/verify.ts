import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import { readCertificatesUsed, readPem } from '../../pdf/signatures/certificates-used.ts';
import { readTrustAnchors } from '../../pdf/signatures/read-trust-anchors.ts';
import { makeDirectory } from '../../platform/make-directory.ts';
import { createVerifier, type Verifier } from '../../verify/create-verifier.ts';
import { embeddedNames } from '../../verify/extract-embedded.ts';
import { reportJson } from '../../verify/report-json.ts';
import { linkOf } from '../../verify/texts.ts';
import { textsEn } from '../../verify/texts-en.ts';
import { UsageError } from '../core/arguments.ts';
import { findFile } from '../core/find-file.ts';
import { commandLog, readSettings } from '../core/session.ts';
import { answer, card, oneLine } from '../core/terminal.ts';
import { withSealedFiles } from './with-sealed-files.ts';

interface VerifyOptions {
  certificate?: string[];
  extract?: string;
}

type TimeStamp = NonNullable<NonNullable<Shown['seal']>['time_stamp']>;
type Shown = ReturnType<typeof reportJson> & { extracted?: string[] };

export function define(verify: Command): void {
  verify
    .description('check that a completed PDF was sealed by this service and is unaltered; works without a database')
    .argument('<file>', 'the PDF')
    .option(
      '--certificate <file>',
      'a PEM file to check the seal against, instead of the certificates in DATA_DIR',
      collect,
    )
    .option('--extract <directory>', 'save the embedded files: certificate, content, audit trail, values')
    .action(async (file: string, { certificate: pemFiles, extract }: VerifyOptions, command: Command) => {
      const config = readSettings();
      await findFile(file);
      const certificates = pemFiles
        ? await readPemFiles(pemFiles)
        : await readCertificatesUsed(join(config.dataDir, 'certificates'));
      const anchors = await readTrustAnchors(config.tsaTrustFile);
      // With --certificate the PDF is another service's, so our own records do not apply.
      const found = await withSealedFiles(pemFiles ? null : config, async (sealedFiles) => {
        const verifier = createVerifier({
          certificates: async () => certificates,
          sealedFiles,
          anchors,
          log: commandLog(config),
          ...(extract !== undefined && { extractTo: extract }),
        });
        try {
          return await verifyInto(verifier, file, extract);
        } finally {
          await verifier.close();
        }
      });
      const report = reportJson(found.report, textsEn);
      answer(command, { ...report, ...(extract !== undefined && { extracted: found.extracted }) }, showReport);
      if (report.verdict !== 'valid') throw new Refusal(`${report.verdict}: ${textsEn.verdicts[report.verdict]}`);
    });
}

/** Never replaces a file: an earlier one may be evidence. */
async function verifyInto(verifier: Verifier, file: string, directory: string | undefined) {
  if (directory === undefined) return { report: await verifier.examine(file), extracted: [] };
  await makeDirectory(directory);
  const paths = embeddedNames.map((name) => join(directory, name));
  for (const path of paths) {
    const present = await lstat(path).catch(() => null);
    if (present !== null) throw new Refusal(`${path} is there already and is not replaced`);
  }
  const { report, extracted, notSaved } = await verifier.extract(file, directory);
  if (notSaved !== null) throw new Refusal(notSaved);
  return { report, extracted: extracted.map(({ name }) => join(directory, name)) };
}

function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

async function readPemFiles(files: readonly string[]): Promise<Uint8Array[]> {
  const certificates = await Promise.all(
    files.map(async (file) => {
      await findFile(file);
      return onlyCertificates(file, await readFile(file));
    }),
  );
  return certificates.flat();
}

function onlyCertificates(file: string, text: Buffer): Uint8Array[] {
  try {
    const certificates = readPem(text);
    if (certificates.length > 0) return certificates;
  } catch {} // treat a damaged file as missing
  throw new UsageError(`--certificate ${file} holds no certificate in PEM`);
}

/** Prints the verdict, then who and when, then why. */
function showReport({ verdict, findings, seal, document, parties, extracted }: Shown): string {
  const facts = card({
    verdict: `${verdict}: ${textsEn.verdicts[verdict]}`,
    ...(document?.mode === 'test' && { mode: 'test: not a real signature' }),
    ...(document && { document: document.title, id: document.id }),
    ...(seal?.name && { sent_by: seal.name }),
    ...(seal?.signed_at && { sealed_at: seal.signed_at }),
    ...(seal?.time_stamp && { time_stamp: showTimeStamp(seal.time_stamp) }),
  });
  const who = parties
    .map((recipient) => `  ${oneLine(showRecipient(recipient, document?.mode === 'test'))}\n`)
    .join('');
  const why = findings.map(({ id, ok, text }) => `  ${mark(ok)}  ${id.padEnd(idWidth)}  ${oneLine(text)}\n`).join('');
  const saved = (extracted ?? []).map((path) => `  ${oneLine(path)}\n`).join('');
  return `${facts}${who && `recipients\n${who}`}findings\n${why}${saved && `saved\n${saved}`}`;
}

function showTimeStamp({ at, authority, verified }: TimeStamp): string {
  return `${at}, ${authority}${verified ? '' : ' (unverified)'}`;
}

const idWidth = 24;

function mark(ok: boolean | null): string {
  if (ok === null) return 'note';
  return ok ? 'ok  ' : 'FAIL';
}

function showRecipient(recipient: Shown['parties'][number], isTest: boolean): string {
  const { name, kind, signed_at, channel, auth_level, attestation } = recipient;
  if (kind === 'cc') return isTest ? `${name}: no copy was sent` : `${name}: received a copy`;
  const how = [channel && linkOf(channel, isTest, textsEn), auth_level && textsEn.authLevels[auth_level]].filter(
    Boolean,
  );
  const what = kind === 'approver' ? 'approved' : 'signed';
  const when = signed_at === null ? `${what} at no recorded time` : `${what} ${signed_at}`;
  return `${name}: ${when} (${how.join(' + ')})${attestation === null ? '' : `, ${showAttestation(attestation)}`}`;
}

function showAttestation({ at, time_stamp }: NonNullable<Shown['parties'][number]['attestation']>): string {
  return time_stamp === null ? `attested ${at}` : `attested, time-stamped ${showTimeStamp(time_stamp)}`;
}
