import type { IncomingHttpHeaders } from 'node:http';

/** Whether a client takes an answer in an encoding. A weight of 0 refuses it (RFC 9110, 12.5.3). */
export function acceptsEncoding(headers: IncomingHttpHeaders, encoding: 'br' | 'gzip'): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').toLowerCase();
  return accepted.split(',').some((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
