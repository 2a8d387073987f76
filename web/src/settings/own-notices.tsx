import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { Problem } from '../ui/problem.tsx';
import { accountText } from './account-texts.ts';
import { noticesText } from './notices-texts.ts';
import { SaveRow } from './save-row.tsx';
import { useSave } from './use-save.ts';

type Own = AnswerOf<'GET', '/own-notices'>;

const queryKey = ['own notices'];

/** The e-mails about documents that the user sent, in the current company. */
export function OwnNotices() {
  const { data, error } = useQuery({ queryKey, queryFn: () => api.get('/own-notices') });
  return (
    <>
      <p className="text-soft">{accountText.noticesText}</p>
      <Problem of={error} />
      {data !== undefined && <Switches own={data} />}
    </>
  );
}

function Switches({ own }: { own: Own }) {
  const { isSaving, failure, said, save, clear } = useSave(queryKey, accountText.saved);
  const kinds = noticesText.groups[0]?.kinds ?? [];
  const isOffForCompany = (kind: string) => own.off_for_company.some((off) => off === kind);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).getAll('kinds');
    // The form leaves out what cannot be chosen now. It stays as it was.
    const kept = own.kinds.filter(isOffForCompany);
    void save(() => api.post('/own-notices', { body: { kinds: [...chosen, ...kept] } }));
  };
  return (
    <form className="grid max-w-2xl gap-4" onSubmit={submit} onChange={clear}>
      <fieldset className="grid gap-0.5">
        <legend className="sr-only">{accountText.noticesChosen}</legend>
        {kinds.map((kind) => (
          <label
            key={kind}
            className="flex min-h-9 items-start gap-3 rounded-md px-1 py-1.5 hover:bg-wash max-lg:min-h-11"
          >
            <input
              type="checkbox"
              name="kinds"
              value={kind}
              disabled={isOffForCompany(kind)}
              defaultChecked={!isOffForCompany(kind) && own.kinds.some((wanted) => wanted === kind)}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span className="font-medium">{noticesText.kinds[kind].label}</span>
              <span className="block text-sm text-soft">
                {isOffForCompany(kind) ? accountText.noticeOff : noticesText.kinds[kind].hint}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <Problem of={failure} />
      <SaveRow name={accountText.save} isSaving={isSaving} said={said} />
    </form>
  );
}
