import type { AnswerOf } from '../api/client.ts';
import { fill } from '../language.ts';
import { hostConcernText } from './host-concern-texts.ts';

/** The server's warning about the host of an accepted address. */
export type Concern = AnswerOf<'POST', '/webhooks'>['concern'];

/** Warns about the host of an accepted address, which may have no DNS records yet. Shows nothing without a concern. */
export function HostConcern({ of }: { of: Concern }) {
  return (
    <div role="status">
      {of !== null && (
        <p className="mt-2 wrap-anywhere text-warn">{fill(hostConcernText[of.code], { host: of.host })}</p>
      )}
    </div>
  );
}
