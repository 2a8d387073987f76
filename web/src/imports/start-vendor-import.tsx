import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { fill } from '../language.ts';
import { buttonClass } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { connectionsQuery } from './connections.ts';
import { UnlockChoice } from './unlock-choice.tsx';
import { useNewImport } from './use-new-import.ts';
import { vendorImportText } from './vendor-import-texts.ts';

/** Starts a vendor import, or asks to connect the vendor first. */
export function StartVendorImport({ onClose }: { onClose: () => void }) {
  const { data, error } = useQuery(connectionsQuery);
  const lookAt = useNewImport();
  const connection = data?.data[0];
  if (connection === undefined) {
    return (
      <Dialog title={vendorImportText.title} onClose={onClose}>
        {error === null && <p className="text-soft">{uiText.loading}</p>}
        <Problem of={error} />
      </Dialog>
    );
  }
  if (connection.status !== 'connected') {
    return <ConnectFirst isAgain={connection.status === 'reconnect_needed'} onClose={onClose} />;
  }
  const start = async (form: FormData) => {
    const { id } = await api.post('/imports', { body: readForm(form) });
    await lookAt(id);
  };
  const vendor = connection.vendor_account?.name ?? vendorImportText.yourVendor;
  return (
    <ConfirmDialog
      title={vendorImportText.title}
      action={vendorImportText.start}
      failures={vendorImportText.failures}
      onConfirm={start}
      onClose={onClose}
    >
      <p>{fill(vendorImportText.text, { vendor })}</p>
      <TextField
        label={vendorImportText.earliest}
        hint={vendorImportText.earliestHint}
        isOptional
        type="date"
        name="earliest"
      />
      <UnlockChoice />
    </ConfirmDialog>
  );
}

/** Returns the start of a day in the user's time zone. Invalid dates are sent unchanged, and the server refuses them. */
function readForm(form: FormData): { earliest?: string; unlock_doc: boolean } {
  const day = String(form.get('earliest') ?? '');
  const unlock_doc = form.has('unlock');
  if (day === '') return { unlock_doc };
  const begin = new Date(`${day}T00:00`);
  return { earliest: Number.isNaN(begin.getTime()) ? day : begin.toISOString(), unlock_doc };
}

function ConnectFirst({ isAgain, onClose }: { isAgain: boolean; onClose: () => void }) {
  return (
    <Dialog title={vendorImportText.connectTitle} onClose={onClose}>
      <p>{isAgain ? vendorImportText.reconnectText : vendorImportText.connectText}</p>
      <p className="mt-6 flex justify-end">
        <Link to="/settings/connections" className={buttonClass('primary')}>
          {vendorImportText.toConnections}
        </Link>
      </p>
    </Dialog>
  );
}
