import { Button } from './button.tsx';
import { uiText } from './texts.ts';

export interface MoreButtonProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; more: () => void };
}

/** The button at the end of a list that reads its next page. Nothing after the last page. */
export function MoreButton({ list: { hasNextPage, isFetchingNextPage, more } }: MoreButtonProps) {
  if (!hasNextPage) return null;
  return (
    <Button className="mt-3 w-full" isBusy={isFetchingNextPage} onClick={more}>
      {uiText.more}
    </Button>
  );
}
