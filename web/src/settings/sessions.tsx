import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { Time } from '../ui/time.tsx';
import { accountText } from './account-texts.ts';

type OpenSession = AnswerOf<'GET', '/sessions'>['data'][number];

export function Sessions() {
  const [ending, setEnding] = useState<OpenSession | 'others' | null>(null);
  const { sso, account } = useMe();
  const queryClient = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => api.get('/sessions'),
  });
  const sessions = data?.data ?? [];
  const endOthersText =
    sso === null ? accountText.endOthersText : fill(accountText.endOthersSsoText, { company: account.display_name });
  const end = async () => {
    if (ending === 'others') await api.post('/sessions/revoke-others');
    else if (ending !== null) await api.remove('/sessions/:id', { params: { id: ending.id } });
    await queryClient.invalidateQueries({ queryKey: ['sessions'] });
  };
  return (
    <>
      <p className="text-soft">{accountText.sessionsText}</p>
      <Problem of={error} />
      <ul className="grid gap-3">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="min-w-0 flex-1 basis-52">
              <bdi className="font-semibold">{browserOf(session)}</bdi>{' '}
              {session.is_current && <Badge tone="good">{accountText.thisOne}</Badge>}
              <span className="block text-sm text-soft">
                IP {session.ip} · {accountText.methods[session.method]} · {accountText.seen}{' '}
                <Time at={session.last_seen_at} />
              </span>
            </span>
            {!session.is_current && (
              <Button
                aria-label={`${accountText.signOut}: ${browserOf(session)}, IP ${session.ip}`}
                onClick={() => setEnding(session)}
              >
                {accountText.signOut}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <p>
          <Button kind="danger" onClick={() => setEnding('others')}>
            {accountText.signOutOthers}
          </Button>
        </p>
      )}
      {ending !== null && (
        <ConfirmDialog
          title={ending === 'others' ? accountText.endOthersTitle : accountText.endTitle}
          action={ending === 'others' ? accountText.signOutOthers : accountText.signOut}
          isDangerous
          onClose={() => setEnding(null)}
          onConfirm={end}
        >
          <p>{ending === 'others' ? endOthersText : `${browserOf(ending)}, IP ${ending.ip}`}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Names a browser: `Firefox, Windows`. */
function browserOf({ browser, user_agent }: OpenSession): string {
  return browser ?? user_agent?.slice(0, 60) ?? accountText.unknownBrowser;
}
