import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../api/client.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { Time } from '../ui/time.tsx';
import { developersText } from './developers-texts.ts';

const watchMs = 1500;
const earlierShown = 5;

/** Polls for events while the page is visible. Events from before the page was opened are shown separately. */
export function NewestEvents() {
  const known = useRef<string | null>(null);
  const { data, error } = useQuery({
    queryKey: ['events'],
    queryFn: () => api.get('/events'),
    refetchInterval: watchMs,
  });
  if (data !== undefined && known.current === null) known.current = data.data[0]?.id ?? '';
  const events = data?.data ?? [];
  const arrived = events.filter(({ id }) => known.current !== null && id > known.current);
  const [newest] = arrived;
  return (
    <>
      <Problem of={error} />
      <p role="status" className={newest === undefined ? 'text-soft' : 'font-medium text-good'}>
        {newest === undefined ? developersText.waiting : developersText.arrived}
      </p>
      {newest !== undefined && (
        <CodeBlock code={JSON.stringify(JSON.parse(newest.body), null, 2)} name={developersText.eventBody} />
      )}
      {events.length > 0 && (
        <>
          <p className="text-soft">{developersText.earlier}</p>
          <ul className="grid gap-1.5">
            {events.slice(0, earlierShown).map(({ id, event, created_at }) => (
              <li key={id} className="flex flex-wrap items-center gap-3">
                <Badge tone="active">{event}</Badge>
                <span className="text-sm text-soft">
                  <Time at={created_at} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
