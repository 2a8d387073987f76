import { execFile } from 'node:child_process';
import type { SigningKeySettings } from '../../config/settings.ts';
import { badSigningKey } from './bad-signing-key.ts';
import { type Pkcs11Location, parsePkcs11Uri } from './pkcs11-uri.ts';
import { type SignatureRequest, type SigningKey, SigningKeyError, signTimeoutMs } from './signing-key.ts';

const program = 'pkcs11-tool';
const outputBytesMax = 2 ** 20;

/**
 * A key of a PKCS#11 module, used through OpenSC's `pkcs11-tool`. A program of its own, because a module is native code
 * that may block or crash, and because libraries for Node.js want a compiler where they are installed.
 */
export function openPkcs11Key({ uri, pin, environment }: SigningKeySettings): SigningKey {
  const location = parsePkcs11Uri(uri);
  if (pin === null) throw badSigningKey('is a PKCS#11 key, so SIGNING_KEY_PIN must be set');
  let id = location.id;
  let refusal: SigningKeyError | null = null;

  const run = async (args: string[], input: Buffer): Promise<Buffer> => {
    // Tokens lock themselves after a few wrong PINs, so a wrong one is tried once.
    if (refusal !== null) throw refusal;
    const token = location.slotId === null ? ['--token-label', location.token ?? ''] : ['--slot', location.slotId];
    const login = ['--module', location.modulePath, ...token, '--login', '--pin', 'env:SIGNING_KEY_PIN'];
    try {
      return await runTool([...login, ...args], input, { ...environment, SIGNING_KEY_PIN: pin });
    } catch (error) {
      const failure = error as ToolFailure;
      const explained = new SigningKeyError(explain(failure, location));
      if (/CKR_PIN_|CKR_USER_PIN/.test(failure.stderr ?? '')) refusal = explained;
      throw explained;
    }
  };

  return {
    async sign(request) {
      // pkcs11-tool chooses a key by its id only.
      id ??= findId((await run(['--list-objects', '--type', 'privkey'], Buffer.alloc(0))).toString('utf8'), location);
      const mechanism =
        request.keyType === 'RSA'
          ? ['--mechanism', 'RSA-PKCS']
          : ['--mechanism', 'ECDSA', '--signature-format', 'openssl'];
      const signature = await run(['--sign', '--id', id, ...mechanism], toBeSigned(request));
      if (signature.length === 0) throw new SigningKeyError(`${program} returned no signature`);
      return signature;
    },
  };
}

/** The id of the private key with the label wanted, from a list as pkcs11-tool prints it. */
function findId(list: string, { label }: Pkcs11Location): string {
  const keys = list.split(/^(?=Private Key Object)/m).filter((key) => /^ *label: */m.test(key));
  const ids = keys
    .filter((key) => /^ *label: *(.*)$/m.exec(key)?.[1] === label)
    .map((key) => /^ *ID: *([0-9a-f]+)$/m.exec(key)?.[1]);
  const [id] = ids;
  if (ids.length === 0) throw new SigningKeyError(`the token has no private key with the label "${label}"`);
  if (ids.length > 1)
    throw new SigningKeyError(`the token has several private keys with the label "${label}": use id=`);
  if (id === undefined) throw new SigningKeyError(`the private key "${label}" has no id (CKA_ID): give it one`);
  return id;
}

/** DigestInfo up to the digest (RFC 8017, 9.2), which the mechanism RSA-PKCS leaves to its caller. */
const digestInfo = {
  'SHA-256': '3031300d060960864801650304020105000420',
  'SHA-384': '3041300d060960864801650304020205000430',
  'SHA-512': '3051300d060960864801650304020305000440',
};

function toBeSigned({ digest, digestAlgorithm, keyType }: SignatureRequest): Buffer {
  return keyType === 'EC' ? digest : Buffer.concat([Buffer.from(digestInfo[digestAlgorithm], 'hex'), digest]);
}

interface ToolFailure {
  code?: string | number | null | undefined;
  killed?: boolean | undefined;
  stderr?: string;
}

function runTool(args: string[], input: Buffer, env: Record<string, string | undefined>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { env, timeout: signTimeoutMs, killSignal: 'SIGKILL', maxBuffer: outputBytesMax } as const;
    const child = execFile(program, args, { ...options, encoding: 'buffer' }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject({ code: error.code, killed: error.killed, stderr: stderr.toString('utf8') } satisfies ToolFailure);
    });
    child.stdin?.on('error', () => {}); // it has ended, and says why
    child.stdin?.end(input);
  });
}

/** Errors of pkcs11-tool by their return value (PKCS#11, 5.1), in words that say what to do. */
const explanations: Array<[pattern: RegExp, says: (location: Pkcs11Location) => string]> = [
  [/CKR_PIN_LOCKED/, () => 'the PIN of the token is locked'],
  [/CKR_PIN_|CKR_USER_PIN/, () => 'SIGNING_KEY_PIN is wrong. It is not tried again before a restart'],
  [/dlopen|load pkcs11 module/i, ({ modulePath }) => `the PKCS#11 module ${modulePath} cannot be loaded`],
  [/No slot with token named/, ({ token }) => `there is no token named "${token}"`],
  [/slot.*not found|CKR_SLOT_ID_INVALID|CKR_TOKEN_NOT_PRESENT/i, () => 'there is no token in that slot'],
  [/Private key not found/i, ({ id, label }) => `the token has no private key with the id ${id ?? label}`],
  [/CKR_(KEY_TYPE_INCONSISTENT|MECHANISM_INVALID)/, () => 'the key is of another type than the certificate'],
  [/CKR_KEY_FUNCTION_NOT_PERMITTED/, () => 'the key is not allowed to sign'],
];

function explain({ code, killed, stderr = '' }: ToolFailure, location: Pkcs11Location): string {
  if (code === 'ENOENT') return `${program} is not installed: install the package opensc`;
  if (killed) return `the PKCS#11 module did not answer within ${signTimeoutMs / 1000} s`;
  const known = explanations.find(([pattern]) => pattern.test(stderr));
  if (known !== undefined) return known[1](location);
  const lines = stderr.split('\n').filter((line) => line !== '' && !/^(Using signature|Aborting)/.test(line));
  return `${program} failed: ${(lines[0] ?? `exit code ${code}`).slice(0, 200)}`;
}
