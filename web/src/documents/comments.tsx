import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Problem } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { commentsText } from './comments-texts.ts';

/** What recipients wrote to the sender, oldest first. */
export function Comments({ id }: { id: string }) {
  const { data, error } = useQuery({
    queryKey: ['documents', 'comments', id],
    queryFn: ({ signal }) => api.get('/documents/:id/comments', { params: { id }, signal }),
  });
  return (
    <section aria-labelledby="comments">
      <h2 id="comments" className="text-xl">
        {commentsText.title}
      </h2>
      <Problem of={error} className="mt-3" />
      <ol className="mt-3 grid gap-4">
        {data?.data.map(({ id, at, name, text }) => (
          <li key={id} className="text-sm">
            <p className="text-soft">
              <bdi className="font-medium text-ink">{name ?? commentsText.erasedName}</bdi> · <Time at={at} />
            </p>
            <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-line">
              {text ?? commentsText.erased}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
