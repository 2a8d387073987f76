import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { ApiFailure } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { explain } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { shellText } from './texts.ts';

export function NotFoundPage() {
  return (
    <div className="mx-auto my-12 grid max-w-xl gap-3 px-4">
      <h1 className="text-2xl">{shellText.notFoundTitle}</h1>
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
      <h1 className="text-2xl">{shellText.failedTitle}</h1>
      <p role="alert">{explain(error)}</p>
      <p>
        <Button onClick={tryAgain}>{uiText.tryAgain}</Button>
      </p>
    </div>
  );
}
