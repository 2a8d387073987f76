import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';
import { uiText } from './texts.ts';

interface ConfirmDialogProps {
  title: string;
  /** What will happen, and the input fields. */
  children: ReactNode;
  /** Label of the confirm button. */
  action: string;
  isDangerous?: boolean;
  /** Whether there is nothing to confirm yet. */
  isDisabled?: boolean;
  /** Error messages by code. */
  failures?: Record<string, string>;
  /** Whether closing the dialog stops the action. It then can be closed while the action runs. */
  stopsOnClose?: boolean;
  /** Receives the values of the form. If it throws, the dialog shows the error and stays open. */
  onConfirm: (form: FormData) => Promise<unknown>;
  onClose: () => void;
}

/**
 * Asks for confirmation before an action that others notice or that cannot be undone. It stays open while the action runs, unless
 * closing it stops that.
 */
export function ConfirmDialog({
  title,
  children,
  action,
  isDangerous,
  isDisabled = false,
  failures,
  stopsOnClose = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const isClosed = useRef(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: onConfirm,
    // Once the user has closed the dialog, an answer must not close another one.
    onSuccess: () => {
      if (!isClosed.current) onClose();
    },
  });
  const close = () => {
    isClosed.current = true;
    onClose();
  };
  const isLocked = isPending && !stopsOnClose;
  return (
    <Dialog title={title} onClose={close} isLocked={isLocked}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending && !isDisabled) mutate(new FormData(event.currentTarget));
        }}
      >
        <div className="grid gap-4">{children}</div>
        <Problem of={error} failures={failures} className="mt-4" />
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button isBusy={isLocked} onClick={close}>
            {uiText.cancel}
          </Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isBusy={isPending} disabled={isDisabled}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
