import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useDocument } from '../../documents/document-query.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { changesIn, LinkFields } from './link-fields.tsx';
import { linkText } from './link-texts.ts';
import type { PublicLinkView } from './types.ts';

type Action = 'change' | 'switch' | 'delete';

/** What can be done with a link, each in a dialog. Viewers of the template's folder are offered nothing. */
export function LinkActions({ link }: { link: PublicLinkView }) {
  const [asked, setAsked] = useState<Action | null>(null);
  const dialog = { link, onClose: () => setAsked(null) };
  if (useDocument(link.template.id).document?.is_read_only !== false) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button kind="primary" onClick={() => setAsked('change')}>
        {linkText.change}
      </Button>
      <Button onClick={() => setAsked('switch')}>{link.is_on ? linkText.switchOff : linkText.switchOn}</Button>
      <Button kind="danger" onClick={() => setAsked('delete')}>
        {linkText.delete}
      </Button>
      {asked === 'change' && <ChangeDialog {...dialog} />}
      {asked === 'switch' && <SwitchDialog {...dialog} />}
      {asked === 'delete' && <DeleteDialog {...dialog} />}
    </div>
  );
}

interface LinkDialogProps {
  link: PublicLinkView;
  onClose: () => void;
}

function ChangeDialog({ link, onClose }: LinkDialogProps) {
  // What the form begins with, and what someone else changes meanwhile stays as they set it.
  const [began] = useState(link);
  const { id: linkId, template, acts_for } = began;
  const { email } = useMe().person;
  const isOwn = acts_for.kind === 'person' && acts_for.name === email;
  const renew = useRenew(template.id);
  return (
    <ConfirmDialog
      title={linkText.changeTitle}
      action={linkText.save}
      failures={linkText.failures}
      onClose={onClose}
      onConfirm={async (form) => {
        const params = { id: template.id, link: linkId };
        await api.post('/templates/:id/links/:link', { params, body: changesIn(form, began) });
        await renew();
      }}
    >
      <LinkFields values={began} title={template.title} />
      {!isOwn && <p>{linkText.inYourName}</p>}
    </ConfirmDialog>
  );
}

function SwitchDialog({ link: { id: link, template, ...now }, onClose }: LinkDialogProps) {
  // The question stays the same when someone else switches the link meanwhile.
  const [is_on] = useState(now.is_on);
  const renew = useRenew(template.id);
  return (
    <ConfirmDialog
      title={is_on ? linkText.switchOffTitle : linkText.switchOnTitle}
      action={is_on ? linkText.switchOff : linkText.switchOn}
      failures={linkText.failures}
      onClose={onClose}
      onConfirm={async () => {
        const params = { id: template.id, link };
        if (is_on) await api.post('/templates/:id/links/:link/off', { params });
        else await api.post('/templates/:id/links/:link/on', { params });
        await renew();
      }}
    >
      <p>{is_on ? linkText.switchOffText : linkText.inYourName}</p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ link: { id: link, template }, onClose }: LinkDialogProps) {
  const renew = useRenew(template.id);
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={linkText.deleteTitle}
      action={linkText.delete}
      isDangerous
      failures={linkText.failures}
      onClose={onClose}
      onConfirm={async () => {
        await api.remove('/templates/:id/links/:link', { params: { id: template.id, link } });
        await navigate({ to: '/templates/$id/links', params: { id: template.id } });
        await renew();
      }}
    >
      <p>{linkText.deleteText}</p>
    </ConfirmDialog>
  );
}

/** Refreshes the links of a template. */
function useRenew(templateId: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['documents', 'public-links', templateId] });
}
