import { ApiFailure, api, failureOf, type QueryValues } from './client.ts';
import { fileAddress } from './file-address.ts';

/**
 * Lets the browser download a file. It can be large, so the browser streams it, and shows errors of its own only. The session and
 * its company are checked first. Throws an `ApiFailure`.
 */
export async function download(path: string, query: QueryValues = {}): Promise<void> {
  await api.get('/me');
  save(fileAddress(path, query));
}

/** Downloads a small file that the server may refuse. Throws an `ApiFailure`. */
export async function downloadWhole(path: string, signal: AbortSignal): Promise<void> {
  await api.get('/me', { signal });
  const response = await fetch(fileAddress(path), { cache: 'no-store', signal }).catch((error) => {
    throw new ApiFailure('unreachable', 0, String(error));
  });
  if (!response.ok) throw failureOf(response, await response.json().catch(() => ({})));
  const [, name = ''] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const address = URL.createObjectURL(await response.blob());
  save(address, decodeURIComponent(name));
  setTimeout(() => URL.revokeObjectURL(address), keptMs);
}

/** The browser reads the file from memory within this time. */
const keptMs = 60_000;

/** Without `name`, the file has the name that the server gives it. */
function save(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
