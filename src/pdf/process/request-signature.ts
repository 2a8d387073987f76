import type { SignatureRequest } from '../signing-key/signing-key.ts';
import { SigningKeyError } from '../signing-key/signing-key.ts';
import type { ProcessMessage, SignatureReply } from './messages.ts';

let requests = 0;

/** Requests a signature from the service. Runs in a PDF process, which does not have the key. */
export function requestSignature(request: SignatureRequest): Promise<Buffer> {
  const id = requests++;
  return new Promise((resolve, reject) => {
    const receive = (message: SignatureReply) => {
      if (message.kind !== 'signature' || message.id !== id) return;
      process.off('message', receive);
      if (message.ok) resolve(Buffer.from(message.signature));
      else reject(new SigningKeyError(message.message));
    };
    process.on('message', receive);
    process.send?.({ kind: 'sign', id, request } satisfies ProcessMessage);
  });
}
