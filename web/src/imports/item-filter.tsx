import { Link } from '@tanstack/react-router';
import { formatNumber } from '../language.ts';
import type { ItemSearch } from './item-search.ts';
import { itemText } from './item-texts.ts';
import type { ImportView } from './types.ts';

/** Filter by outcome, with counts. Outcomes without files are hidden. */
export function ItemFilter({ of, show }: { of: ImportView; show: ItemSearch['show'] }) {
  const choices = (['filed', 'failed', 'open'] as const).filter((name) => countOf(of, name) > 0 || name === show);
  if (choices.length < 2 && show === undefined) return null;
  return (
    <nav aria-label={itemText.which} className="-mx-1 flex flex-wrap gap-1">
      <Choice of={of} name={undefined} show={show} />
      {choices.map((name) => (
        <Choice key={name} of={of} name={name} show={show} />
      ))}
    </nav>
  );
}

function Choice({ of, name, show }: { of: ImportView; name: ItemSearch['show']; show: ItemSearch['show'] }) {
  const isChosen = name === show;
  return (
    <Link
      to="/imports/$id"
      params={{ id: of.id }}
      search={name === undefined ? {} : { show: name }}
      aria-current={isChosen ? 'true' : undefined}
      className={`rounded-lg px-3 py-1.5 text-sm font-semibold max-lg:py-2.5 ${isChosen ? 'bg-accent-wash text-accent' : 'text-soft hover:text-ink'}`}
    >
      {itemText.choices[name ?? 'all']}{' '}
      <span className="font-normal tabular-nums">{formatNumber(countOf(of, name))}</span>
    </Link>
  );
}

export function countOf(of: ImportView, show: ItemSearch['show']): number {
  switch (show) {
    case undefined:
      return of.total_files;
    case 'open':
      return of.remaining;
    case 'filed':
    case 'failed':
      return of[show];
  }
}
