import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiFailure } from '../api/client.ts';
import { meQuery } from '../api/me.ts';
import { fill } from '../language.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { explain, Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { ssoAddress, switchAccount } from './session-actions.ts';
import { shellText } from './texts.ts';

export function NotFoundPage() {
  return <NotFound text={shellText.notFoundText} />;
}

/** Offers the user's other companies, because a link in an e-mail names none. */
function NotFoundHerePage() {
  const { data: me } = useQuery(meQuery);
  const others = me?.accounts.filter(({ id }) => id !== me.account.id) ?? [];
  const closed = me?.closed_accounts ?? [];
  if (others.length + closed.length === 0) return <NotFoundPage />;
  return (
    <NotFound text={shellText.notFoundHere}>
      <div className="flex flex-wrap gap-2">
        {others.map(({ id, display_name }) => (
          <SwitchButton key={id} id={id} name={display_name} />
        ))}
        {closed.map((company) => (
          <a key={company.id} href={ssoAddress(company, location.pathname + location.search)} className={buttonClass()}>
            {fill(shellText.openWithSso, { name: company.display_name })}
          </a>
        ))}
      </div>
    </NotFound>
  );
}

/** Shows the same page in another company. */
function SwitchButton({ id, name }: { id: string; name: string }) {
  const { mutate, isPending, error } = useMutation({ mutationFn: () => switchAccount(id, location.href) });
  return (
    <>
      <Button isBusy={isPending} onClick={() => mutate()}>
        {fill(shellText.switchTo, { name })}
      </Button>
      <Problem of={error} />
    </>
  );
}

function NotFound({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="mx-auto my-12 grid max-w-xl gap-3 px-4">
      <PageTitle>{shellText.notFoundTitle}</PageTitle>
      <p>{text}</p>
      {children}
      <p>
        <Link to="/documents" search={{}} className="text-accent underline">
          {shellText.documents}
        </Link>
      </p>
    </div>
  );
}

export function FailedPage({ error }: { error: unknown }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const tryAgain = () => {
    void router.invalidate();
    void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  };
  if (error instanceof ApiFailure && error.status === 404) return <NotFoundHerePage />;
  return (
    <div className="mx-auto my-12 grid max-w-xl gap-3 px-4">
      <PageTitle>{shellText.failedTitle}</PageTitle>
      <p role="alert">{explain(error)}</p>
      <p>
        <Button onClick={tryAgain}>{uiText.tryAgain}</Button>
      </p>
    </div>
  );
}
