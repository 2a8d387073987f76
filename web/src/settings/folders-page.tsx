import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Folder, foldersKey, foldersQuery } from '../documents/use-folders.ts';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { MoreMenu } from '../ui/menu.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { DeleteFolderDialog, NewFolderDialog, RenameFolderDialog } from './folder-dialogs.tsx';
import { foldersText } from './folders-texts.ts';
import { ActionCell, Cell, Row, Rows } from './rows.tsx';
import { TabHead } from './tab-head.tsx';
import { settingsText } from './texts.ts';

const text = foldersText;

type Open = { kind: 'new' } | { kind: 'rename' | 'delete'; folder: Folder };

export function FoldersPage() {
  const [open, setOpen] = useState<Open | null>(null);
  const { data, error, isPending } = useQuery(foldersQuery);
  const folders = data?.data;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const renew = () => queryClient.invalidateQueries({ queryKey: foldersKey });
  const onClose = () => setOpen(null);
  return (
    <>
      <TabHead
        action={
          <Button kind="primary" onClick={() => setOpen({ kind: 'new' })}>
            {text.new}
          </Button>
        }
      >
        {text.intro}
      </TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {folders?.length === 0 && (
        <EmptyState title={text.emptyTitle}>
          <p>{text.emptyText}</p>
        </EmptyState>
      )}
      {folders !== undefined && folders.length > 0 && (
        <Rows caption={text.list} columns={[text.columns.name, text.columns.access, settingsText.actions]}>
          {folders.map((folder) => (
            <Row key={folder.id}>
              <Cell className="font-semibold max-md:pr-14">
                <Link
                  to="/settings/folders/$id"
                  params={{ id: folder.id }}
                  className="text-accent underline-offset-4 wrap-anywhere hover:underline"
                >
                  <bdi>{folder.name}</bdi>
                </Link>
              </Cell>
              <Cell label={text.columns.access}>
                <Badge tone={folder.is_open ? 'active' : 'neutral'}>
                  {folder.is_open ? text.everyone : text.members}
                </Badge>
              </Cell>
              <ActionCell>
                <MoreMenu
                  label={fill(text.menu, { name: folder.name })}
                  groups={[
                    [{ name: text.rename, act: () => setOpen({ kind: 'rename', folder }) }],
                    [{ name: text.delete, act: () => setOpen({ kind: 'delete', folder }) }],
                  ]}
                />
              </ActionCell>
            </Row>
          ))}
        </Rows>
      )}
      {open?.kind === 'new' && (
        <NewFolderDialog
          onClose={onClose}
          onDone={async ({ id }) => {
            await renew();
            await navigate({ to: '/settings/folders/$id', params: { id } });
          }}
        />
      )}
      {open?.kind === 'rename' && <RenameFolderDialog folder={open.folder} onClose={onClose} onDone={renew} />}
      {open?.kind === 'delete' && <DeleteFolderDialog folder={open.folder} onClose={onClose} onDone={renew} />}
    </>
  );
}
