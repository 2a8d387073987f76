import { OperatorError } from '../errors.ts';

export interface Listening {
  host: string;
  port: number;
  /** Settings that the operator can change, such as `PORT`. */
  hostSetting: string;
  portSetting: string;
}

/** Explains in one line why a server cannot listen, and names the setting to change. */
export function listenError(error: unknown, { host, port, hostSetting, portSetting }: Listening): OperatorError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} on ${host} is in use: stop the program that uses it, or set ${portSetting}`,
    EACCES: `not allowed to listen on port ${port}: choose one above 1023 with ${portSetting}`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: set ${hostSetting}`,
    ENOTFOUND: `${host} is not the name of an address: set ${hostSetting}`,
  };
  return new OperatorError(reasons[code ?? ''] ?? `cannot listen on ${host}:${port}: ${message}`);
}
