import type { ChildProcess } from 'node:child_process';
import type { SigningKey } from '../signing-key/signing-key.ts';
import type { SignatureMessage, SignatureReply } from './messages.ts';

/** Maximum signatures per job. A seal needs one, or two when the file must be embedded instead. The check needs one. */
const signaturesMax = 3;

/** Makes the function that signs for a PDF process during one job. Refuses without a key, and beyond `signaturesMax`. */
export function answerSignatures(
  child: ChildProcess,
  key: SigningKey | null,
): (message: SignatureMessage) => Promise<void> {
  let signatures = 0;
  return async ({ id, request }) => {
    const reply = async (): Promise<SignatureReply> => {
      const refusal = key === null ? 'no signing key is set' : 'the job requested too many signatures';
      if (key === null || signatures++ >= signaturesMax) return { kind: 'signature', id, ok: false, message: refusal };
      try {
        const signature = await key.sign({ ...request, digest: Buffer.from(request.digest) });
        return { kind: 'signature', id, ok: true, signature };
      } catch (error) {
        return { kind: 'signature', id, ok: false, message: (error as Error).message };
      }
    };
    const message = await reply();
    if (child.connected) child.send(message, () => {}); // ignore errors: the process may have ended
  };
}
