import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { ApiFailure } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { explain } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { shellText } from './texts.ts';

export function NotFoundPage() {
  return (
    <div className="mx-auto my-12 grid max-w-xl gap-3 px-4">
      <PageTitle>{shellText.notFoundTitle}</PageTitle>
      <p>{shellText.notFoundText}</p>
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
  if (error instanceof ApiFailure && error.status === 404) return <NotFoundPage />;
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
