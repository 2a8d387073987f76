import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { download as downloadFile } from '../api/download.ts';
import { type ItemOf, useList } from '../api/list.ts';
import { count, fill, formatMoment, formatNumber } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { Time } from '../ui/time.tsx';
import { dataExportText } from './data-export-texts.ts';
import { Cell, Row, Rows } from './rows.tsx';
import { TabHead } from './tab-head.tsx';
import { settingsText } from './texts.ts';
import { formatBytes } from './usage.ts';

type DataExport = ItemOf<'/data-exports'>;
type Open = { kind: 'request' } | { kind: 'remove'; of: DataExport };

const queryKey = ['data exports'];
const renewMs = 2000;
const isUnfinished = ({ status }: DataExport) => status === 'pending' || status === 'running';

/** Exports of everything that the company has. Only owners see this page. */
export function DataExportPage() {
  const [open, setOpen] = useState<Open | null>(null);
  const queryClient = useQueryClient();
  const renew = () => queryClient.invalidateQueries({ queryKey });
  const list = useList(queryKey, '/data-exports', {
    renewMs: (pages) => pages.some(({ data }) => data.some(isUnfinished)) && renewMs,
  });
  const { items, isPending, error } = list;
  return (
    <>
      <TabHead
        action={
          <Button kind="primary" onClick={() => setOpen({ kind: 'request' })}>
            {dataExportText.request}
          </Button>
        }
      >
        {dataExportText.intro}
      </TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {!isPending && error === null && items.length === 0 && (
        <EmptyState title={dataExportText.emptyTitle}>
          <p>{dataExportText.emptyText}</p>
        </EmptyState>
      )}
      {items.length > 0 && <ExportRows exports={items} onRemove={(of) => setOpen({ kind: 'remove', of })} />}
      <MoreButton list={list} />
      {open?.kind === 'request' && (
        <ConfirmDialog
          title={dataExportText.requestTitle}
          action={dataExportText.request}
          failures={dataExportText.failures}
          onConfirm={() => api.post('/data-exports').then(renew)}
          onClose={() => setOpen(null)}
        >
          {dataExportText.requestText.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </ConfirmDialog>
      )}
      {open?.kind === 'remove' && <RemoveDialog of={open.of} onRemoved={renew} onClose={() => setOpen(null)} />}
    </>
  );
}

interface RemoveDialogProps {
  of: DataExport;
  onRemoved: () => Promise<void>;
  onClose: () => void;
}

function RemoveDialog({ of, onRemoved, onClose }: RemoveDialogProps) {
  const { title, text, action } = isUnfinished(of) ? dataExportText.cancelling : dataExportText.deleting;
  return (
    <ConfirmDialog
      title={title}
      action={action}
      isDangerous
      onConfirm={() => api.remove('/data-exports/:id', { params: { id: of.id } }).then(onRemoved)}
      onClose={onClose}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}

function ExportRows({ exports, onRemove }: { exports: readonly DataExport[]; onRemove: (of: DataExport) => void }) {
  const { columns } = dataExportText;
  const download = useMutation({
    mutationFn: async ({ id }: DataExport) => {
      await api.post('/data-exports/:id/open', { params: { id } });
      await downloadFile(`/data-exports/${id}/archive`);
    },
  });
  return (
    <>
      <Problem of={download.error} className="mb-3" />
      <Rows caption={dataExportText.list} columns={[columns.at, columns.by, columns.state, settingsText.actions]}>
        {exports.map((each) => (
          <Row key={each.id}>
            <Cell className="font-semibold whitespace-nowrap">
              <span id={`export-${each.id}`}>
                <Time at={each.requested_at} />
              </span>
            </Cell>
            <Cell label={columns.by}>
              <bdi className="break-all">{each.email ?? dataExportText.erased}</bdi>
            </Cell>
            <Cell label={columns.state}>
              <State of={each} />
            </Cell>
            <Cell>
              <div className="flex flex-wrap gap-2">
                {each.status === 'ready' && (
                  <Button
                    aria-describedby={`export-${each.id}`}
                    isBusy={download.isPending && download.variables.id === each.id}
                    onClick={() => download.mutate(each)}
                  >
                    {dataExportText.download}
                  </Button>
                )}
                <Button kind="danger" aria-describedby={`export-${each.id}`} onClick={() => onRemove(each)}>
                  {isUnfinished(each) ? dataExportText.cancel : dataExportText.remove}
                </Button>
              </div>
            </Cell>
          </Row>
        ))}
      </Rows>
    </>
  );
}

function State({ of }: { of: DataExport }) {
  const { states } = dataExportText;
  const { files_done: done, files_total: total, missing_files: missing, bytes, failure, expires_at } = of;
  switch (of.status) {
    case 'pending':
      return <Badge tone="neutral">{states.pending}</Badge>;
    case 'running':
      return (
        <>
          <Badge tone="active">{states.running}</Badge>
          {total !== null && total > 0 && (
            <span className="block text-sm text-soft">
              {fill(dataExportText.progress, { done: formatNumber(done), total: formatNumber(total) })}
            </span>
          )}
        </>
      );
    case 'failed':
      return (
        <>
          <Badge tone="bad">{states.failed}</Badge>
          <span className="block text-sm">{dataExportText.reasons[failure ?? 'failed']}</span>
        </>
      );
    default:
      return (
        <>
          <Badge tone="good">{states.ready}</Badge>{' '}
          <span className="text-sm whitespace-nowrap">{formatBytes(bytes ?? 0)}</span>
          {expires_at !== null && (
            <span className="block text-sm text-soft">
              {fill(dataExportText.until, { when: formatMoment(expires_at) })}
            </span>
          )}
          {missing > 0 && <span className="block text-sm text-warn">{count(missing, dataExportText.missing)}</span>}
        </>
      );
  }
}
