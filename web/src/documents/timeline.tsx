import { useList } from '../api/list.ts';
import { fill, formatMoment } from '../language.ts';
import { DownloadLink } from '../ui/download-link.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Problem } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { historyText } from './history-texts.ts';
import type { DocumentDetail, TimelineEntry } from './types.ts';

/** The audit trail in plain words, newest first. */
export function Timeline({ document }: { document: DocumentDetail }) {
  const { id } = document;
  const list = useList(['documents', 'timeline', id], '/documents/:id/timeline', { params: { id }, limit: 20 });
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline" className="text-xl">
        {historyText.title}
      </h2>
      <Problem of={list.error} className="mt-3" />
      <ol className="mt-3 border-l border-rule">
        {list.items.map((entry) => (
          <Entry key={entry.seq} entry={entry} id={id} />
        ))}
      </ol>
      <MoreButton list={list} />
    </section>
  );
}

function Entry({ entry, id }: { entry: TimelineEntry; id: string }) {
  const { at, action, actor, about, note, send_at, changes } = entry;
  const what = fill(historyText.actions[action] ?? action, { name: about ?? actor.name ?? '' });
  const isNamed = actor.kind === 'recipient' || actor.kind === 'person';
  const who = isNamed && actor.name !== null ? actor.name : historyText.actors[actor.kind];
  const key = actor.kind === 'api_key' && actor.name !== null ? ` ${actor.name}` : '';
  return (
    <li className="relative pb-4 pl-5 text-sm before:absolute before:top-1.5 before:-left-[5px] before:size-[9px] before:rounded-full before:bg-edge last:pb-0">
      <p className="font-medium">
        <bdi>{what}</bdi>
      </p>
      <p className="text-soft">
        {actor.kind !== 'service' && (
          <>
            <bdi>{fill(historyText.by, { name: who + key })}</bdi> ·{' '}
          </>
        )}
        <Time at={at} />
      </p>
      {send_at !== null && <p className="text-soft">{formatMoment(send_at)}</p>}
      {changes.length > 0 && (
        <p className="text-soft">{changes.map((name) => historyText.changes[name] ?? name).join(', ')}</p>
      )}
      {entry.files.map(({ field, name }) => (
        <div key={field}>
          <DownloadLink path={`/documents/${id}/uploads/${field}`} className="break-words underline">
            <bdi>{name}</bdi>
          </DownloadLink>
        </div>
      ))}
      {note !== null && (
        <p className="text-soft">
          <q>{note}</q>
        </p>
      )}
    </li>
  );
}
