import { Button } from '../ui/button.tsx';
import { uiText } from '../ui/texts.ts';

interface ListEndProps {
  list: { isPending: boolean; hasNextPage: boolean; isFetchingNextPage: boolean; more: () => void };
}

/** The button that reads the next page of a list, or that the first one is being read. */
export function ListEnd({ list: { isPending, hasNextPage, isFetchingNextPage, more } }: ListEndProps) {
  if (isPending) return <p className="text-soft">{uiText.loading}</p>;
  if (!hasNextPage) return null;
  return (
    <Button className="mt-3 w-full" isBusy={isFetchingNextPage} onClick={more}>
      {uiText.more}
    </Button>
  );
}
