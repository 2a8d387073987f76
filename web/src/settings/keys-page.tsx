import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useList } from '../api/list.ts';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { Time } from '../ui/time.tsx';
import { keysText } from './keys-texts.ts';
import { type ApiKey, NewKeyDialog, scopes } from './new-key-dialog.tsx';
import { ActionCell, Cell, Row, Rows } from './rows.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';
import { TabHead } from './tab-head.tsx';
import { settingsText } from './texts.ts';

type Open = { kind: 'create' } | { kind: 'created'; secret: string } | { kind: 'revoke'; key: ApiKey };

export function KeysPage() {
  const [open, setOpen] = useState<Open | null>(null);
  const list = useList(['keys'], '/keys');
  const { items, isPending, error } = list;
  const queryClient = useQueryClient();
  const renew = () => queryClient.invalidateQueries({ queryKey: ['keys'] });
  const close = () => setOpen(null);
  return (
    <>
      <TabHead
        action={
          <Button kind="primary" onClick={() => setOpen({ kind: 'create' })}>
            {keysText.create}
          </Button>
        }
      >
        {keysText.intro}
      </TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {items.length > 0 && <KeyRows keys={items} onRevoke={(key) => setOpen({ kind: 'revoke', key })} />}
      {!isPending && error === null && items.length === 0 && (
        <EmptyState title={keysText.emptyTitle}>
          <p>{keysText.emptyText}</p>
          <p>
            <Link to="/developers" className="text-accent underline">
              {keysText.developers}
            </Link>
          </p>
        </EmptyState>
      )}
      <MoreButton list={list} />
      {open?.kind === 'create' && (
        <NewKeyDialog
          onClose={() => setOpen((now) => (now?.kind === 'create' ? null : now))}
          onCreated={(secret) => {
            setOpen({ kind: 'created', secret });
            void renew();
          }}
        />
      )}
      {open?.kind === 'created' && (
        <ShownOnceDialog
          title={keysText.createdTitle}
          name={keysText.createdTitle}
          secret={open.secret}
          onClose={close}
        />
      )}
      {open?.kind === 'revoke' && (
        <ConfirmDialog
          title={keysText.revokeTitle}
          action={keysText.revoke}
          isDangerous
          onClose={close}
          onConfirm={() => api.post('/keys/:id/revoke', { params: { id: open.key.id } }).then(renew)}
        >
          <p>{fill(keysText.revokeText, { hint: open.key.hint })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function KeyRows({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  const { columns } = keysText;
  return (
    <Rows
      caption={keysText.list}
      columns={[columns.name, columns.key, columns.scopes, columns.used, columns.status, settingsText.actions]}
    >
      {keys.map((key) => {
        const name = key.name ?? keysText.noName;
        const isOver = key.revoked_at !== null || isPast(key.expires_at);
        return (
          <Row key={key.id} isFaded={isOver}>
            <Cell className="font-semibold max-md:pr-28">
              <bdi id={`key-${key.id}`}>{name}</bdi>
            </Cell>
            <Cell label={columns.key}>
              <code className="font-mono text-[0.8125rem]">{key.hint}</code>
            </Cell>
            <Cell label={columns.scopes} className="text-sm md:max-w-52">
              {key.scopes.length === scopes.length ? keysText.allScopes : key.scopes.join(', ')}
            </Cell>
            <Cell label={columns.used} className="text-sm whitespace-nowrap">
              {key.last_used_at === null ? settingsText.never : <Time at={key.last_used_at} />}
            </Cell>
            <Cell label={columns.status}>
              <KeyStatus apiKey={key} />
            </Cell>
            <ActionCell>
              {!isOver && (
                <Button kind="danger" aria-describedby={`key-${key.id}`} onClick={() => onRevoke(key)}>
                  {keysText.revoke}
                </Button>
              )}
            </ActionCell>
          </Row>
        );
      })}
    </Rows>
  );
}

function KeyStatus({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (revoked_at !== null) return <Badge tone="bad">{keysText.revoked}</Badge>;
  if (isPast(expires_at)) return <Badge tone="warn">{keysText.expired}</Badge>;
  return (
    <>
      <Badge tone="good">{keysText.active}</Badge>
      {expires_at !== null && (
        <span className="block text-xs text-soft">
          <ExpiresAt at={expires_at} />
        </span>
      )}
    </>
  );
}

function ExpiresAt({ at }: { at: string }) {
  const [before = '', after = ''] = keysText.expires.split('{when}');
  return (
    <>
      {before}
      <Time at={at} />
      {after}
    </>
  );
}

function isPast(at: string | null): boolean {
  return at !== null && Date.parse(at) <= Date.now();
}
