import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '../platform/random.ts';

/** OWASP's recommendation for Argon2id: 19 MiB and two passes. `memoryKib` and `passes` are stored with each hash. */
const cost = { memoryKib: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

const derive = promisify(argon2);

/** In the PHC string format, as other programs write it too. */
export async function hashPassword(random: Random, password: string): Promise<string> {
  const salt = random.bytes(saltBytes);
  const tag = await tagOf(password, salt, cost);
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`;
}

const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Takes the same time where there is no password as where there is one: `hash` null is compared with nothing, at length. */
export async function matchesPassword(hash: string | null, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = format.exec(hash ?? '') ?? [];
  if (salt === undefined || tag === undefined) {
    await tagOf(password, Buffer.alloc(saltBytes), cost);
    return false;
  }
  const given = await tagOf(password, Buffer.from(salt, 'base64'), {
    memoryKib: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  const expected = Buffer.from(tag, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The same password is typed as different code points on different devices. */
async function tagOf(password: string, salt: Buffer, { memoryKib, passes, parallelism }: typeof cost): Promise<Buffer> {
  const message = password.normalize('NFKC');
  return derive('argon2id', { message, nonce: salt, memory: memoryKib, passes, parallelism, tagLength: tagBytes });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
