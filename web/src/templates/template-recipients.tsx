import { detailText } from '../documents/detail-texts.ts';
import type { RecipientView } from '../documents/types.ts';
import { templatesText } from './texts.ts';

/** The roles of a template, and its fixed recipients. */
export function TemplateRecipients({ recipients }: { recipients: readonly RecipientView[] }) {
  return (
    <section aria-labelledby="recipients">
      <h2 id="recipients" className="text-xl">
        {templatesText.recipients}
      </h2>
      {recipients.length === 0 && <p className="mt-3 text-soft">{templatesText.noRecipients}</p>}
      <ol className="mt-3 grid gap-3">
        {recipients.map((recipient) => (
          <li key={recipient.id} className="rounded-xl border border-rule bg-raised p-3.5">
            <p className="font-semibold">
              <bdi>{recipient.name}</bdi>
            </p>
            <p className="text-sm text-soft">{partOf(recipient)}</p>
            <p className="text-sm text-soft">
              {[recipient.email, recipient.phone].filter((detail) => detail !== null).join(' · ') ||
                templatesText.named}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function partOf({ name, kind, role, channel, auth_level }: RecipientView): string {
  const { kinds, channels, levels } = detailText;
  const part = kind === 'signer' && role !== null && role !== name ? role : kinds[kind];
  return [part, channels[channel], levels[auth_level]].filter((words) => words !== '').join(' · ');
}
