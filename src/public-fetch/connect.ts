import { connect as connectTcp, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { Deadline } from './deadlines.ts';
import { hasRoute } from './has-route.ts';
import type { ProxyJudge } from './proxy-judge.ts';
import { PublicFetchError } from './public-fetch-error.ts';
import { type OutboundProxy, openTunnel } from './tunnel.ts';

export interface Destination {
  /** Checked addresses of the host, in the order to try them. */
  addresses: string[];
  /** Name or IP address that the certificate must be valid for. */
  host: string;
  port: number;
  /** Null: plain TCP. */
  tls: SecureContext | null;
  /** Protocols offered in the TLS handshake. Empty: none is negotiated. */
  alpn: string[];
  /** Null: direct connection. */
  proxy: { settings: OutboundProxy; judge: ProxyJudge } | null;
}

const triesMax = 4;

/** Connects to the first address that accepts. Throws a `PublicFetchError`. */
export async function connect(to: Destination, deadline: Deadline): Promise<{ socket: Socket; address: string }> {
  const failures: PublicFetchError[] = [];
  const addresses = worthTrying(to.addresses);
  for (const [index, address] of addresses.entries()) {
    const triesLeft = addresses.length - index;
    try {
      const socket =
        to.proxy === null
          ? await openTcp(address, to.port, deadline, triesLeft)
          : await openTunnel(to.proxy.settings, to.proxy.judge, { ...to, address }, deadline, triesLeft);
      return { socket: to.tls === null ? socket : await openTls(socket, address, to, to.tls, deadline), address };
    } catch (error) {
      const failure = error as PublicFetchError;
      if (failure.kind === 'tls' || deadline.passed !== null) throw failure;
      failures.push(failure);
    }
  }
  throw failures.find((failure) => failure.kind === 'our_fault') ?? failures[0];
}

/**
 * Limits the addresses to try. The last one is included: it is an IPv6 address if there is one, and IPv4 may not work
 * on this machine.
 */
function worthTrying(addresses: string[]): string[] {
  return [...addresses.slice(0, triesMax - 1), ...addresses.slice(triesMax - 1).slice(-1)];
}

/**
 * Opens a TCP connection within its share of the remaining time, so that a silent address leaves time for the others.
 */
function openTcp(address: string, port: number, deadline: Deadline, triesLeft: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectTcp({ host: address, port, noDelay: true });
  const give = (failure: PublicFetchError) => {
    clearTimeout(timer);
    socket.destroy();
    reject(failure);
  };
  const silence = () => give(new PublicFetchError('timeout', 'one of its addresses does not answer', address));
  const timer = triesLeft > 1 ? setTimeout(silence, deadline.remainingMs() / triesLeft) : undefined;
  deadline.waitFor('to connect', give);
  socket.on('error', async (error) => give(await connectFailure(error, address)));
  socket.once('connect', () => {
    clearTimeout(timer);
    resolve(socket);
  });
  return promise;
}

function openTls(
  tcp: Socket,
  address: string,
  { host, alpn }: Destination,
  secureContext: SecureContext,
  deadline: Deadline,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectTls({
    socket: tcp,
    secureContext,
    ...(alpn.length > 0 ? { ALPNProtocols: alpn } : {}),
    // Without this an environment variable could switch the check off.
    rejectUnauthorized: true,
    // An IP address is not allowed as server name. The certificate is then checked against `host`.
    ...(isIP(host) === 0 ? { servername: host } : { host }),
  });
  const give = (failure: PublicFetchError) => {
    socket.destroy();
    tcp.destroy();
    reject(failure);
  };
  deadline.waitFor('for the TLS handshake', give);
  socket.on('error', (error) => give(tlsFailure(error, address)));
  socket.once('secureConnect', () => {
    resolve(socket);
  });
  return promise;
}

/**
 * Errors caused by this machine. A missing route may also be reported by a distant router, so it is checked separately.
 */
const noWay = 'ENETUNREACH';
const ours = new Set([noWay, 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'ENOBUFS']);
/** Errors of an IPv6 connection on a machine without IPv6. */
const lackOfIPv6 = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);

const refusals: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
};

export async function connectFailure(
  error: Error,
  address: string,
  canRoute: () => Promise<boolean> = hasRoute,
): Promise<PublicFetchError> {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (isIPv6(address) && lackOfIPv6.has(code)) {
    return new PublicFetchError('connection', 'the host has IPv6 only, and this machine has none', address);
  }
  if (code === noWay && (await canRoute())) {
    return new PublicFetchError('connection', 'there is no way to its network', address);
  }
  if (ours.has(code)) return new PublicFetchError('our_fault', `this machine opens no connection (${code})`, address);
  return new PublicFetchError('connection', refusals[code] ?? `no connection (${code})`, address);
}

function tlsFailure(error: Error, address: string): PublicFetchError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const message = certificateFaults[code] ?? tlsFaultOf(error) ?? `the TLS handshake failed (${code})`;
  return new PublicFetchError('tls', message, address);
}

/** Explains an OpenSSL error in a sentence. Null if it isn't a common one. */
export function tlsFaultOf(error: Error): string | null {
  const text = `${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`.toLowerCase().replaceAll('_', ' ');
  return tlsFaults.find(([words]) => words.test(text))?.[1] ?? null;
}

const tlsFaults: ReadonlyArray<[RegExp, string]> = [
  [/key too (?:small|weak)|dh key too small/, 'the certificate has a key that is too weak'],
  [
    /md too weak|digest (?:algorithm )?too weak/,
    'the certificate is signed with SHA-1 or another digest that is too weak',
  ],
  [/certificate required|handshake failure/, 'the receiver refused the handshake: it may want a client certificate'],
  [/unsupported protocol|alert protocol version/, 'the receiver speaks no TLS 1.2 or newer'],
];

const certificateFaults: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not from an authority trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not from an authority trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not from an authority trusted here, or its chain is incomplete',
  ECONNRESET: 'the connection ended during the TLS handshake',
};
