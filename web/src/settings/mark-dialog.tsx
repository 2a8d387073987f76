import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { createDrawingArea, type DrawingArea } from '../../../src/signing/pages/browser/drawing-area.ts';
import { pictureFromFile, pngOf } from '../../../src/signing/pages/browser/picture.ts';
import { api } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { FileInput } from '../ui/file-input.tsx';
import { Handwriting } from './handwriting.tsx';
import type { MarkKind, OwnSignature } from './own-signature.ts';
import { savedSignatureText } from './saved-signature-texts.ts';

interface MarkDialogProps {
  mark: MarkKind;
  own: OwnSignature;
  onSaved: () => Promise<unknown>;
  onClose: () => void;
}

const tabs = ['type', 'draw', 'upload'] as const;
type Tab = (typeof tabs)[number];

/** Makes a signature or initials as on the signing page: typed, drawn or from a picture. */
export function MarkDialog({ mark, own, onSaved, onClose }: MarkDialogProps) {
  const id = useId();
  const text = savedSignatureText[mark];
  const [tab, setTab] = useState<Tab>('type');
  const [typed, setTyped] = useState(own[mark]?.text ?? '');
  const [drawn, setDrawn] = useState<HTMLCanvasElement | null>(null);
  const [uploaded, setUploaded] = useState<HTMLCanvasElement | null>(null);
  const picture = tab === 'draw' ? drawn : uploaded;
  const isMade = tab === 'type' ? typed.trim() !== '' : picture !== null;
  const save = async () => {
    const body =
      tab === 'type' || picture === null
        ? { mark, kind: 'typed', text: typed }
        : { mark, kind: tab === 'draw' ? 'drawn' : 'uploaded', png: pngOf(picture) };
    await api.post('/own-signature', { body });
    await onSaved();
  };
  return (
    <ConfirmDialog
      title={own[mark] === null ? text.makeTitle : text.replaceTitle}
      action={savedSignatureText.save}
      isDisabled={!isMade}
      failures={{ 'invalid_input:text': text.unfit, 'invalid_input:png': savedSignatureText.unreadable }}
      onConfirm={save}
      onClose={onClose}
    >
      <div role="tablist" aria-label={text.howTo} className="flex gap-1 border-b border-rule" onKeyDown={walk}>
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`${id}${each}`}
            aria-selected={each === tab}
            aria-controls={`${id}panel`}
            tabIndex={each === tab ? 0 : -1}
            onClick={() => setTab(each)}
            className="min-h-11 border-b-2 border-transparent px-3 text-sm font-semibold text-soft -outline-offset-2 hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {savedSignatureText.tabs[each]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${tab}`} className="grid gap-3">
        {tab === 'type' && (
          <>
            <TextField
              label={text.text}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              maxLength={2 * own.limits[mark]}
              dir="auto"
              autoComplete={mark === 'signature' ? 'name' : 'off'}
              spellCheck={false}
            />
            <Handwriting text={typed} fonts={own.assets.handwriting} />
          </>
        )}
        {tab === 'draw' && (
          <Draw name={text.drawingArea} padAddress={own.assets.signature_pad} before={drawn} onChange={setDrawn} />
        )}
        {tab === 'upload' && <Upload picture={uploaded} onChange={setUploaded} />}
      </div>
    </ConfirmDialog>
  );
}

interface DrawProps {
  name: string;
  padAddress: string;
  before: HTMLCanvasElement | null;
  onChange: (picture: HTMLCanvasElement | null) => void;
}

function Draw({ name, padAddress, before, onChange }: DrawProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const area = useRef<DrawingArea | null>(null);
  const first = useRef({ before, onChange });
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (canvas.current === null || area.current !== null) return;
    const { before, onChange } = first.current;
    const changed = () => onChange(area.current?.picture() ?? null);
    createDrawingArea({ canvas: canvas.current, padAddress, before, onBegin: () => {}, onChange: changed })
      .then((created) => {
        area.current = created;
      })
      .catch(() => setFailed(true));
  }, [padAddress]);
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={name}
        className="block h-40 w-full cursor-crosshair touch-none rounded-lg border border-edge bg-[#fffefb]"
      />
      <div className="flex items-center justify-between gap-3">
        <p className="text-sm text-soft">{savedSignatureText.drawHint}</p>
        <Button
          onClick={() => {
            area.current?.clear();
            onChange(null);
          }}
        >
          {savedSignatureText.clear}
        </Button>
      </div>
      {hasFailed && (
        <p role="alert" className="text-bad">
          {savedSignatureText.drawingUnavailable}
        </p>
      )}
    </>
  );
}

interface UploadProps {
  picture: HTMLCanvasElement | null;
  onChange: (picture: HTMLCanvasElement | null) => void;
}

function Upload({ picture, onChange }: UploadProps) {
  const [isUnreadable, setUnreadable] = useState(false);
  const choose = async ([file]: File[]) => {
    if (file === undefined) return;
    const read = await pictureFromFile(file).catch(() => null);
    setUnreadable(read === null);
    if (read !== null) onChange(read);
  };
  return (
    <>
      <FileInput
        label={savedSignatureText.uploadLabel}
        hint={savedSignatureText.uploadHint}
        accept="image/png,image/jpeg,image/webp"
        takesAgain
        className="bg-page"
        onChoose={(files) => void choose(files)}
      >
        {savedSignatureText.choose}
      </FileInput>
      {isUnreadable && (
        <p role="alert" className="text-bad">
          {savedSignatureText.unreadable}
        </p>
      )}
      {picture !== null && <Picture picture={picture} />}
    </>
  );
}

function Picture({ picture }: { picture: HTMLCanvasElement }) {
  const show = (holder: HTMLDivElement | null) => holder?.replaceChildren(picture);
  return (
    <div
      ref={show}
      role="img"
      aria-label={savedSignatureText.chosen}
      className="grid min-h-28 place-items-center rounded-lg border border-edge bg-[#fffefb] p-3 [&_canvas]:max-h-24 [&_canvas]:max-w-full"
    />
  );
}

/** Arrow keys, Home and End select a tab. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (at === -1 || to === undefined) return;
  event.preventDefault();
  const next = all[(to + all.length) % all.length];
  next?.focus();
  next?.click();
}
