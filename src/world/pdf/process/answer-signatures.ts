import type { ChildProcess } from 'node:child_process';
import type { SigningKey } from '../../signing-key/signing-key.ts';
import type { SignatureReply, SignatureWish } from './messages.ts';

/** A seal takes one signature, and one more when the file must be embedded instead. The check takes one. */
const signaturesMax = 3;

/** Answers what a PDF process asks to have signed during one job. Without a key, and beyond the limit, it is refused. */
export function answerSignatures(child: ChildProcess, key: SigningKey | null): (wish: SignatureWish) => Promise<void> {
  let signatures = 0;
  return async ({ id, request }) => {
    const reply = async (): Promise<SignatureReply> => {
      const refusal = key === null ? 'no signing key is set' : 'too many signatures were asked for';
      if (key === null || signatures++ >= signaturesMax) return { kind: 'signature', id, ok: false, message: refusal };
      try {
        const signature = await key.sign({ ...request, digest: Buffer.from(request.digest) });
        return { kind: 'signature', id, ok: true, signature };
      } catch (error) {
        return { kind: 'signature', id, ok: false, message: (error as Error).message };
      }
    };
    const said = await reply();
    if (child.connected) child.send(said, () => {}); // a process that has ended needs no answer
  };
}
