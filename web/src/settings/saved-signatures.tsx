import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { Handwriting } from './handwriting.tsx';
import { MarkDialog } from './mark-dialog.tsx';
import type { MarkKind, OwnSignature } from './own-signature.ts';
import { savedSignatureText } from './saved-signature-texts.ts';

type Saved = NonNullable<OwnSignature[MarkKind]>;

const queryKey = ['own signature'];

/** The signature and the initials that the user keeps to sign with again. */
export function SavedSignatures() {
  const { data, error } = useQuery({ queryKey, queryFn: () => api.get('/own-signature') });
  return (
    <>
      <p className="text-soft">{savedSignatureText.intro}</p>
      <Problem of={error} />
      {data !== undefined && (
        <div className="grid gap-5 sm:grid-cols-2">
          <SavedMark mark="signature" own={data} />
          <SavedMark mark="initials" own={data} />
        </div>
      )}
    </>
  );
}

function SavedMark({ mark, own }: { mark: MarkKind; own: OwnSignature }) {
  const [open, setOpen] = useState<'make' | 'remove' | null>(null);
  const [said, setSaid] = useState('');
  const queryClient = useQueryClient();
  const text = savedSignatureText[mark];
  const saved = own[mark];
  const close = () => setOpen(null);
  const renew = async (sentence: string) => {
    await queryClient.invalidateQueries({ queryKey });
    setSaid(sentence);
  };
  return (
    <section className="grid content-start gap-2">
      <h3 className="text-sm font-semibold">{text.name}</h3>
      {saved === null ? <p className="text-soft">{text.none}</p> : <Preview mark={mark} saved={saved} own={own} />}
      <p role="status" className="font-medium text-good empty:absolute">
        {said}
      </p>
      <p className="flex flex-wrap gap-3">
        <Button aria-label={saved === null ? text.makeTitle : text.replaceTitle} onClick={() => setOpen('make')}>
          {saved === null ? savedSignatureText.make : savedSignatureText.replace}
        </Button>
        {saved !== null && saved.kind !== 'typed' && (
          <a
            className={buttonClass()}
            href={pictureOf(mark, saved)}
            download={`${mark}.png`}
            aria-label={text.download}
          >
            {savedSignatureText.download}
          </a>
        )}
        {saved !== null && (
          <Button kind="danger" aria-label={text.removeTitle} onClick={() => setOpen('remove')}>
            {savedSignatureText.remove}
          </Button>
        )}
      </p>
      {open === 'make' && (
        <MarkDialog mark={mark} own={own} onClose={close} onSaved={() => renew(savedSignatureText.saved)} />
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title={text.removeTitle}
          action={savedSignatureText.remove}
          isDangerous
          onClose={close}
          onConfirm={() =>
            api.post('/own-signature/remove', { body: { mark } }).then(() => renew(savedSignatureText.removed))
          }
        >
          <p>{savedSignatureText.removeText}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function Preview({ mark, saved, own }: { mark: MarkKind; saved: Saved; own: OwnSignature }) {
  if (saved.text !== null) return <Handwriting text={saved.text} fonts={own.assets.handwriting} />;
  return (
    <div className="grid min-h-28 place-items-center rounded-lg border border-edge bg-[#fffefb] p-3">
      <img src={pictureOf(mark, saved)} alt={savedSignatureText[mark].alt} className="max-h-24 max-w-full" />
    </div>
  );
}

/** Another address for each version, because browsers show an image again without asking while the page is open. */
function pictureOf(mark: MarkKind, { id }: Saved): string {
  return `/console/api/own-signature/picture?mark=${mark}&version=${id}`;
}
