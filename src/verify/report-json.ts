import { findingMeanings } from './findings.ts';
import type { Report, TimeStampFacts } from './report.ts';
import type { Texts } from './texts-en.ts';

/** Returns the report as JSON for scripts, for the command line and `POST /verify`. */
export function reportJson({ verdict, findings, seal, document, recipients }: Report, texts: Texts) {
  return {
    verdict,
    findings: findings.map(({ id, detail }) => ({
      id,
      ok: speaksFor(findingMeanings[id]),
      text: texts.findings[id](detail),
    })),
    seal: seal && {
      name: seal.name,
      subject: seal.subject,
      fingerprint_sha256: seal.fingerprintSha256,
      signed_at: seal.signedAt,
      time_stamp: seal.timeStamp && timeStampJson(seal.timeStamp),
      document_time_stamps: seal.documentTimeStamps.map(timeStampJson),
    },
    document: document && {
      id: document.id,
      title: document.title,
      type: document.type,
      mode: document.mode,
      content_sha256: document.contentSha256,
      audit_entries: document.auditEntries,
      audit_head: document.auditHead,
      file: document.file && {
        name: document.file.name,
        manner: document.file.manner,
        sha256_before: document.file.before.sha256,
        sha256_after: document.file.after?.sha256 ?? null,
      },
    },
    parties: recipients.map(({ name, kind, role, channel, authLevel, viewedAt, signedAt, method, attestation }) => ({
      name,
      kind,
      role,
      channel,
      auth_level: authLevel,
      viewed_at: viewedAt,
      signed_at: signedAt,
      method,
      attestation: attestation && {
        at: attestation.at,
        time_stamp: attestation.timeStamp && timeStampJson(attestation.timeStamp),
      },
    })),
  };
}

function timeStampJson({ at, authority, isVerified }: TimeStampFacts) {
  return { at, authority, verified: isVerified };
}

/** Whether a finding speaks for the file. Null for a remark. */
function speaksFor(meaning: (typeof findingMeanings)[keyof typeof findingMeanings]): boolean | null {
  if (meaning === 'remark') return null;
  return meaning === 'good';
}
