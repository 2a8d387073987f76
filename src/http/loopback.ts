const address = /^(?:127\.|::1$|::ffff:127\.)/;
const host = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Returns whether an IP address of a socket is a loopback address. */
export function isLoopbackAddress(ip: string): boolean {
  return address.test(ip);
}

/**
 * Returns whether a `Host` header names this machine: `localhost`, an address of 127.0.0.0/8 or `[::1]`, with any port.
 */
export function isLoopbackHost(header: string): boolean {
  return host.test(header);
}
