import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { useLeaveQuestion } from '../documents/use-unsaved-question.ts';
import { TextArea } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { embeddingText } from './embedding-texts.ts';
import { SaveRow } from './save-row.tsx';
import { useSave } from './use-save.ts';

const queryKey = ['embedding'];

/** The sites of the company's own that may show its signing pages in a frame. */
export function EmbeddingForm() {
  const { data, error } = useQuery({ queryKey, queryFn: () => api.get('/embedding') });
  return (
    <section className="mt-10 max-w-2xl" aria-labelledby="embedding">
      <h2 id="embedding" className="text-lg font-semibold">
        {embeddingText.heading}
      </h2>
      <p className="mt-1 text-soft">{embeddingText.intro}</p>
      <Problem of={error} />
      {data !== undefined && <OriginsForm origins={data.origins} />}
    </section>
  );
}

function OriginsForm({ origins }: { origins: readonly string[] }) {
  const { isSaving, failure, said, save, clear } = useSave(queryKey, embeddingText.saved);
  const saved = origins.join('\n');
  const [edited, setEdited] = useState<string | null>(null);
  if (edited === saved) setEdited(null);
  useLeaveQuestion(() => edited !== null && edited !== saved);
  const text = edited ?? saved;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const lines = text.split('\n').map((line) => line.trim());
    void save(async () => {
      const answer = await api.post('/embedding', { body: { origins: lines.filter((line) => line !== '') } });
      setEdited((now) => (now === text ? answer.origins.join('\n') : now)); // what was typed meanwhile stays
      return answer;
    });
  };
  return (
    <form noValidate className="mt-4 grid gap-5" onSubmit={submit} onChange={clear}>
      <TextArea
        label={embeddingText.origins}
        hint={embeddingText.originsHint}
        isOptional
        rows={4}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => setEdited(target.value)}
      />
      <Problem of={failure} failures={embeddingText.failures} />
      <SaveRow name={embeddingText.save} isSaving={isSaving} said={said} />
    </form>
  );
}
