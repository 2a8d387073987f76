import { isAbsolute } from 'node:path';
import { badSigningKey } from './bad-signing-key.ts';

/** Where a key is, as a PKCS#11 URI (RFC 7512) says. One of `id` and `label` is set. */
export interface Pkcs11Location {
  modulePath: string;
  token: string | null;
  slotId: string | null;
  /** Hex. */
  id: string | null;
  label: string | null;
}

const known = new Set(['token', 'slot-id', 'id', 'object', 'type', 'module-path']);

/**
 * Reads `pkcs11:token=…;object=…?module-path=/….so`.
 *
 * Throws an `OperatorError` for what isn't such a URI, or holds an attribute that is not supported: one that is ignored
 * could lead to another key.
 */
export function parsePkcs11Uri(uri: string): Pkcs11Location {
  const [path = '', query = '', ...rest] = uri.slice('pkcs11:'.length).split('?');
  if (rest.length > 0) throw badSigningKey('has more than one question mark');
  const attributes = new Map<string, Buffer>();
  for (const part of [...path.split(';'), ...query.split('&')].filter((part) => part !== '')) {
    const [name = '', value, ...more] = part.split('=');
    if (/^pin-/.test(name)) throw badSigningKey('must not hold a PIN. Set SIGNING_KEY_PIN');
    if (!known.has(name)) throw badSigningKey(`has an attribute that is not supported: ${name}`);
    if (value === undefined || more.length > 0 || attributes.has(name)) {
      throw badSigningKey(`must have ${name}=value once, with special characters written as %20`);
    }
    attributes.set(name, decode(value));
  }
  return location((name) => attributes.get(name) ?? null);
}

function location(attribute: (name: string) => Buffer | null): Pkcs11Location {
  const text = (name: string) => attribute(name)?.toString('utf8') ?? null;
  const [modulePath, token, slotId, label] = [text('module-path'), text('token'), text('slot-id'), text('object')];
  const id = attribute('id')?.toString('hex') ?? null;
  if (modulePath === null || !isAbsolute(modulePath)) {
    throw badSigningKey('must end with ?module-path= and the absolute path of the PKCS#11 module');
  }
  if (token === null && slotId === null) throw badSigningKey('must name the token: token=…');
  if (slotId !== null && !/^\d{1,20}$/.test(slotId)) throw badSigningKey('must have a number for slot-id');
  if (id === null && label === null) throw badSigningKey('must name the key: object=… or id=%01');
  if ((text('type') ?? 'private') !== 'private') throw badSigningKey('must be of type=private');
  return { modulePath, token, slotId, id, label };
}

/** An id may be any bytes. */
function decode(value: string): Buffer {
  if (/%(?![0-9a-f]{2})/i.test(value)) throw badSigningKey('has a percent sign without two hexadecimal digits');
  const binary = value.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /^[\0-\xff]*$/.test(binary) ? Buffer.from(binary, 'latin1') : Buffer.from(decodeURIComponent(value));
}
