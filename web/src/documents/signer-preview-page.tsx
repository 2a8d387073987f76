import { getRouteApi } from '@tanstack/react-router';
import { useLayoutEffect, useRef, useState } from 'react';
import { fill } from '../language.ts';
import { FailedPage } from '../shell/notice-pages.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Select } from '../ui/field.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { uiText } from '../ui/texts.ts';
import { useDocument } from './document-query.ts';
import { previewText } from './preview-texts.ts';
import type { DocumentDetail, RecipientView } from './types.ts';

const route = getRouteApi('/documents/$id/preview');

/** The signing page as each recipient will see it, before sending. */
export function SignerPreviewPage() {
  const { id } = route.useParams();
  const { document, error } = useDocument(id);
  if (document === undefined)
    return error === null ? <p className="text-soft">{uiText.loading}</p> : <FailedPage error={error} />;
  const { title, recipients, actions } = document;
  const isOffered = actions.includes('preview');
  return (
    <>
      <BackLink to="/documents/$id" params={{ id }} search={{}}>
        <bdi>{title}</bdi>
      </BackLink>
      <PageTitle of={title} className="mt-1">
        {previewText.title}
      </PageTitle>
      {!isOffered && <p className="mt-3">{previewText.onlyDrafts}</p>}
      {isOffered && recipients.length === 0 && <p className="mt-3">{previewText.noRecipients}</p>}
      {isOffered && recipients.length > 0 && <Preview document={document} />}
    </>
  );
}

/** Widths of the preview, in pixels. */
const screens = {
  phone: { width: 390, height: 780 },
  desk: { width: 1280, height: 860 },
};
type Screen = keyof typeof screens;

function Preview({ document }: { document: DocumentDetail }) {
  const { id, recipients, version } = document;
  const [recipientId, setRecipientId] = useState(recipients[0]?.id);
  const [step, setStep] = useState<'first' | 'document'>('document');
  const [screen, setScreen] = useState<Screen>('phone');
  const recipient = recipients.find((one) => one.id === recipientId) ?? (recipients[0] as RecipientView);
  const first = firstStepOf(recipient);
  const query = first !== null && step === 'first' ? '?step=first' : '';
  return (
    <>
      <p className="mt-2 max-w-2xl text-soft">{previewText.how}</p>
      <div className="mt-4 grid gap-3 sm:grid-cols-3">
        <Select
          label={previewText.recipient}
          value={recipient.id}
          onChange={({ target }) => setRecipientId(target.value)}
        >
          {recipients.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
        <Select label={previewText.screen} value={screen} onChange={({ target }) => setScreen(target.value as Screen)}>
          <option value="phone">{previewText.screens.phone}</option>
          <option value="desk">{previewText.screens.desk}</option>
        </Select>
        {first !== null && (
          <Select
            label={previewText.step}
            value={step}
            onChange={({ target }) => setStep(target.value as 'first' | 'document')}
          >
            <option value="first">{previewText.first[first]}</option>
            <option value="document">{previewText.document}</option>
          </Select>
        )}
      </div>
      <Frame
        // Loads the frame again for each recipient and step.
        key={`${recipient.id}${query}${version}`}
        source={`/console/api/documents/${id}/recipients/${recipient.id}/preview${query}`}
        name={fill(previewText.frame, { name: recipient.name })}
        screen={screen}
      />
    </>
  );
}

/** Returns the step before the document, if any. */
function firstStepOf({ auth_level, channel, kind }: RecipientView): keyof typeof previewText.first | null {
  if (kind === 'cc') return null;
  if (auth_level === 'l1_email_sms_otp') return 'code';
  if (auth_level === 'l0_account_session') return 'account';
  return channel === 'in_person' ? 'device' : null;
}

/** Shows a screen of the given width, scaled down if there is less room. */
function Frame({ source, name, screen }: { source: string; name: string; screen: Screen }) {
  const room = useRef<HTMLDivElement>(null);
  const [roomWidth, setRoomWidth] = useState(0);
  useLayoutEffect(() => {
    const element = room.current as HTMLDivElement;
    const measure = () => setRoomWidth(element.clientWidth);
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { width, height } = screens[screen];
  const scale = Math.min(1, roomWidth / width);
  return (
    <div ref={room} className="mt-5">
      <div
        className="mx-auto overflow-hidden rounded-xl border border-edge bg-wash"
        style={{ width: width * scale, height: `min(${height * scale}px, 85dvh)` }}
      >
        <iframe
          src={source}
          title={name}
          className="origin-top-left border-0"
          style={{ width, height: `min(${height}px, ${85 / scale}dvh)`, transform: `scale(${scale})` }}
        />
      </div>
    </div>
  );
}
