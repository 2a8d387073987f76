import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../api/list.ts';
import { type Folder, foldersKey, foldersQuery } from '../documents/use-folders.ts';
import { fill } from '../language.ts';
import { NotFoundPage } from '../shell/notice-pages.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { MoreMenu } from '../ui/menu.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { useTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import {
  AddMemberDialog,
  ChangeAccessDialog,
  type FolderMember,
  OpenFolderDialog,
  RemoveAccessDialog,
} from './folder-dialogs.tsx';
import { foldersText } from './folders-texts.ts';
import { ActionCell, Cell, Row, Rows } from './rows.tsx';
import { settingsText } from './texts.ts';

const route = getRouteApi('/settings-tabs/settings/folders/$id');
const text = foldersText;

/** One folder: who sees it, and its members. */
export function FolderPage() {
  const { id } = route.useParams();
  const { data, error } = useQuery(foldersQuery);
  if (data === undefined)
    return error === null ? <p className="text-soft">{uiText.loading}</p> : <Problem of={error} />;
  const folder = data.data.find((one) => one.id === id);
  return folder === undefined ? <NotFoundPage /> : <OneFolder folder={folder} />;
}

function OneFolder({ folder }: { folder: Folder }) {
  const [isAsking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const { id, name, is_open } = folder;
  useTitle([name, settingsText.title]);
  return (
    <>
      <BackLink to="/settings/folders">{text.back}</BackLink>
      <h2 className="mt-1 text-xl wrap-anywhere">
        <bdi>{name}</bdi>
      </h2>
      <p className="mt-2 max-w-2xl text-soft">{is_open ? text.everyoneText : text.membersText}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Link to="/documents" search={{ folder: id }} className={buttonClass()}>
          {text.documents}
        </Link>
        <Button onClick={() => setAsking(true)}>{is_open ? text.close : text.openTo}</Button>
      </div>
      {!is_open && <Members folder={folder} />}
      {isAsking && (
        <OpenFolderDialog
          folder={folder}
          onClose={() => setAsking(false)}
          onDone={() => queryClient.invalidateQueries({ queryKey: foldersKey })}
        />
      )}
    </>
  );
}

type Open = { kind: 'add' } | { kind: 'change' | 'remove'; member: FolderMember };

function Members({ folder }: { folder: Folder }) {
  const [open, setOpen] = useState<Open | null>(null);
  const queryClient = useQueryClient();
  const key = ['folder-members', folder.id];
  const list = useList(key, '/folders/:id/members', {
    params: { id: folder.id },
  });
  const { items, isPending, error } = list;
  const dialog = {
    folder,
    onClose: () => setOpen(null),
    onDone: () => queryClient.invalidateQueries({ queryKey: key }),
  };
  return (
    <section aria-labelledby="folder-members" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id="folder-members" className="text-lg font-semibold">
          {text.memberList}
        </h3>
        <Button kind="primary" onClick={() => setOpen({ kind: 'add' })}>
          {text.add}
        </Button>
      </div>
      <Problem of={error} className="mt-3" />
      {isPending && <p className="mt-3 text-soft">{uiText.loading}</p>}
      {!isPending && items.length === 0 && error === null && <p className="mt-3 text-soft">{text.noMembers}</p>}
      {items.length > 0 && (
        <Rows
          caption={text.memberList}
          columns={[text.memberColumns.email, text.memberColumns.role, settingsText.actions]}
        >
          {items.map((member) => (
            <Row key={member.id}>
              <Cell className="font-semibold max-md:pr-14">
                <bdi className="wrap-anywhere">{member.email}</bdi>
              </Cell>
              <Cell label={text.memberColumns.role}>{text.roles[member.role]}</Cell>
              <ActionCell>
                <MoreMenu
                  label={fill(text.memberMenu, { email: member.email })}
                  groups={[
                    [{ name: text.change, act: () => setOpen({ kind: 'change', member }) }],
                    [{ name: text.remove, act: () => setOpen({ kind: 'remove', member }) }],
                  ]}
                />
              </ActionCell>
            </Row>
          ))}
        </Rows>
      )}
      <MoreButton list={list} />
      {open?.kind === 'add' && <AddMemberDialog {...dialog} present={items.map(({ id }) => id)} />}
      {open?.kind === 'change' && <ChangeAccessDialog {...dialog} member={open.member} />}
      {open?.kind === 'remove' && <RemoveAccessDialog {...dialog} member={open.member} />}
    </section>
  );
}
