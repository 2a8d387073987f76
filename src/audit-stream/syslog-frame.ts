import type { AuditJson } from '../audit-log/audit-json.ts';

/** Facility 13 is "log audit". A refused sign-in is a warning, everything else is informational (RFC 5424, 6.2.1). */
const facility = 13;
const severity = { warning: 4, informational: 6 };

/** Receivers should take messages of 8,192 bytes (RFC 5425, 4.3.1). The header takes less than the rest. */
const jsonBytesMax = 7500;

/**
 * Writes an entry as a syslog message (RFC 5424) in a frame that begins with its length (octet counting, RFC 5425). The message
 * is the JSON of the entry, in ASCII, so no byte order mark is needed. Details that are too long are left out.
 */
export function entryFrame(entry: AuditJson, accountId: string, host: string): Buffer {
  const whole = asciiJson({ account_id: accountId, ...entry });
  const { detail: _long, ...rest } = entry;
  const json =
    whole.length <= jsonBytesMax ? whole : asciiJson({ account_id: accountId, ...rest, detail_left_out: true });
  const level = entry.action === 'sign_in_failed' ? 'warning' : 'informational';
  return frame(level, new Date(entry.at), host, entry.action, json);
}

export function testFrame(at: Date, accountId: string, host: string): Buffer {
  return frame(
    'informational',
    at,
    host,
    'test',
    asciiJson({ account_id: accountId, text: 'Test of the audit stream' }),
  );
}

function frame(level: keyof typeof severity, at: Date, host: string, messageId: string, message: string): Buffer {
  const priority = facility * 8 + severity[level];
  const text = `<${priority}>1 ${at.toISOString()} ${host} countersign - ${messageId} - ${message}`;
  return Buffer.from(`${text.length} ${text}`, 'ascii');
}

function asciiJson(value: object): string {
  return JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Returns the host of an origin as a HOSTNAME of syslog: at most 255 visible ASCII characters. */
export function syslogHostOf(origin: string): string {
  return new URL(origin).hostname.replace(/[^\x21-\x7e]/g, '').slice(0, 255) || '-';
}
