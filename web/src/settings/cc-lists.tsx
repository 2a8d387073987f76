import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CcList, ccListsKey, useCcLists } from '../documents/cc-lists.ts';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { MoreMenu } from '../ui/menu.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { CcListDialog, DeleteCcListDialog } from './cc-list-dialogs.tsx';
import { ccListsText } from './cc-lists-texts.ts';
import { ActionCell, Cell, Row, Rows } from './rows.tsx';
import { settingsText } from './texts.ts';

const text = ccListsText;
const peopleShownMax = 4;

type Open = { kind: 'edit'; list: CcList | null } | { kind: 'delete'; list: CcList };

/** The company's lists of people who get copies. */
export function CcLists() {
  const [open, setOpen] = useState<Open | null>(null);
  const { data, error, isPending } = useCcLists();
  const queryClient = useQueryClient();
  const onDone = () => queryClient.invalidateQueries({ queryKey: ccListsKey });
  const onClose = () => setOpen(null);
  const lists = data?.data ?? [];
  return (
    <section className="mt-10" aria-labelledby="cc-lists">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="max-w-2xl">
          <h2 id="cc-lists" className="text-lg font-semibold">
            {text.heading}
          </h2>
          <p className="mt-1 text-soft">{text.intro}</p>
        </div>
        <Button onClick={() => setOpen({ kind: 'edit', list: null })}>{text.new}</Button>
      </div>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && lists.length === 0 && <p className="text-soft">{text.empty}</p>}
      {lists.length > 0 && (
        <Rows caption={text.heading} columns={[text.columns.name, text.columns.people, settingsText.actions]}>
          {lists.map((list) => (
            <Row key={list.id}>
              <Cell className="font-semibold max-md:pr-14">
                <bdi className="wrap-anywhere">{list.name}</bdi>{' '}
                {list.is_default && <Badge tone="active">{text.default}</Badge>}
              </Cell>
              <Cell label={text.columns.people} className="wrap-anywhere">
                {peopleOf(list)}
              </Cell>
              <ActionCell>
                <MoreMenu
                  label={fill(text.menu, { name: list.name })}
                  groups={[
                    [{ name: text.edit, act: () => setOpen({ kind: 'edit', list }) }],
                    [{ name: text.delete, act: () => setOpen({ kind: 'delete', list }) }],
                  ]}
                />
              </ActionCell>
            </Row>
          ))}
        </Rows>
      )}
      {open?.kind === 'edit' && <CcListDialog list={open.list} onClose={onClose} onDone={onDone} />}
      {open?.kind === 'delete' && <DeleteCcListDialog list={open.list} onClose={onClose} onDone={onDone} />}
    </section>
  );
}

function peopleOf({ people }: CcList): string {
  if (people.length === 0) return text.nobody;
  const names = people.slice(0, peopleShownMax).map(({ name }) => name);
  const others = people.length - names.length;
  return [...names, ...(others > 0 ? [fill(text.others, { n: others })] : [])].join(', ');
}
