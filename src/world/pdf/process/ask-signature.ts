import type { SignatureRequest } from '../../signing-key/signing-key.ts';
import { SigningKeyError } from '../../signing-key/signing-key.ts';
import type { ProcessMessage, SignatureReply } from './messages.ts';

let asked = 0;

/** Asks the service, from a PDF process, to sign a digest with a key that this process doesn't have. */
export function askSignature(request: SignatureRequest): Promise<Buffer> {
  const id = asked++;
  return new Promise((resolve, reject) => {
    const hear = (message: SignatureReply) => {
      if (message.kind !== 'signature' || message.id !== id) return;
      process.off('message', hear);
      if (message.ok) resolve(Buffer.from(message.signature));
      else reject(new SigningKeyError(message.message));
    };
    process.on('message', hear);
    process.send?.({ kind: 'sign', id, request } satisfies ProcessMessage);
  });
}
