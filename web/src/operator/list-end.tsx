import { MoreButton, type MoreButtonProps } from '../ui/more-button.tsx';
import { uiText } from '../ui/texts.ts';

interface ListEndProps {
  list: MoreButtonProps['list'] & { isPending: boolean };
}

/** The button that reads the next page of a list, or that the first one is being read. */
export function ListEnd({ list }: ListEndProps) {
  if (list.isPending) return <p className="text-soft">{uiText.loading}</p>;
  return <MoreButton list={list} />;
}
