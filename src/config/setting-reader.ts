import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { OperatorError } from '../errors.ts';

/** Names and values of environment variables. */
export type Environment = Record<string, string | undefined>;

export type SettingReader = ReturnType<typeof createSettingReader>;

const integersMax = 100;

/**
 * Parses single settings. Each method takes a name and returns null or the fallback when it is unset. A bad value throws an
 * `OperatorError` that names the setting and its rule.
 */
export function createSettingReader(env: Environment) {
  /** An empty value counts as unset: that is what an empty line in a `.env` or compose file means. */
  const text = (name: string): string | null => {
    const value = env[name];
    return value === undefined || value === '' ? null : value;
  };

  return {
    text,

    path(name: string): string | null {
      const value = text(name);
      return value === null ? null : resolve(value);
    },

    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name);
      if (value === null) return fallback;
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= min && number <= max)) throw badSetting(name, `must be a whole number from ${min} to ${max}`);
      return number;
    },

    integers(
      name: string,
      fallback: number[],
      min: number,
      max: number,
      { countMax = integersMax, or = '' } = {},
    ): number[] {
      const value = text(name);
      if (value === null) return fallback;
      const numbers = value.split(',').map((entry) => (/^ *\d+ *$/.test(entry) ? Number(entry) : Number.NaN));
      const isGood = numbers.length <= countMax && numbers.every((number) => number >= min && number <= max);
      if (!isGood)
        throw badSetting(
          name,
          `must be at most ${countMax} whole numbers from ${min} to ${max} with commas between${or}`,
        );
      return numbers;
    },

    boolean(name: string, fallback: boolean): boolean {
      const value = text(name);
      if (value === null) return fallback;
      if (value !== 'true' && value !== 'false') throw badSetting(name, 'must be true or false');
      return value === 'true';
    },

    choice<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
      const value = text(name);
      if (value === null) return fallback;
      const found = allowed.find((choice) => choice === value);
      if (found === undefined) throw badSetting(name, `must be one of ${allowed.join(', ')}`);
      return found;
    },

    url(name: string, protocols: string[]): string | null {
      const value = text(name);
      if (value === null) return null;
      if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
        throw badSetting(name, `must be a URL starting with ${protocols.join(' or ')}`);
      }
      return value;
    },

    origin(name: string): string | null {
      const value = text(name);
      if (value === null) return null;
      const url = URL.canParse(value) ? new URL(value) : null;
      const isOrigin =
        url !== null &&
        /^https?:$/.test(url.protocol) &&
        url.pathname === '/' &&
        !url.search &&
        !url.hash &&
        !url.username;
      if (!isOrigin) throw badSetting(name, 'must be an origin such as https://sign.example.com, without a path');
      return url.origin;
    },

    secretKey(name: string): Buffer | null {
      const value = text(name);
      if (value === null) return null;
      const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0);
      if (bytes.length !== 32)
        throw badSetting(name, 'must be 32 bytes in base64, such as `openssl rand -base64 32` prints');
      return bytes;
    },

    hosts(name: string): string[] | null {
      const value = text(name);
      if (value === null) return null;
      return value.split(',').map((entry) => {
        const host = entry
          .trim()
          .toLowerCase()
          .replace(/:(?:80|443)$/, '');
        // What a URL makes of it is what links are compared with.
        if (URL.parse(`http://${host}`)?.host === host) return host;
        throw badSetting(name, 'must be hosts, such as files.example.com or 127.0.0.1:9000, with commas between');
      });
    },

    addresses(name: string): string[] {
      const list = (text(name) ?? '').split(',').map((entry) => entry.trim());
      const entries = list.filter((entry) => entry !== '');
      for (const entry of entries) {
        const [, everything = ''] = /^([^/]+)\/0+$/.exec(entry) ?? [];
        if (isIP(everything) !== 0)
          throw badSetting(name, `has "${entry}", which is every address: name those that are meant`);
        if (!isAddressOrRange(entry))
          throw badSetting(name, `has "${entry}", which is not an IP address or CIDR range`);
      }
      return entries;
    },
  };
}

/** The error for a setting whose value breaks `rule`, a predicate such as "must be true or false". */
export function badSetting(name: string, rule: string): OperatorError {
  return new OperatorError(`bad setting ${name}: it ${rule}`);
}

function isAddressOrRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  // A range of all addresses would let anybody say where a request comes from.
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
}
