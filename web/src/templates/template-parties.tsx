import { detailText } from '../documents/detail-texts.ts';
import type { PartyView } from '../documents/types.ts';
import { templatesText } from './texts.ts';

/** The roles of a template, and the people of those that are always the same. */
export function TemplateParties({ parties }: { parties: readonly PartyView[] }) {
  return (
    <section aria-labelledby="parties">
      <h2 id="parties" className="text-xl">
        {templatesText.parties}
      </h2>
      {parties.length === 0 && <p className="mt-3 text-soft">{templatesText.noParties}</p>}
      <ol className="mt-3 grid gap-3">
        {parties.map((party) => (
          <li key={party.id} className="rounded-xl border border-rule bg-raised p-3.5">
            <p className="font-semibold">
              <bdi>{party.name}</bdi>
            </p>
            <p className="text-sm text-soft">{partOf(party)}</p>
            <p className="text-sm text-soft">
              {[party.email, party.phone].filter((detail) => detail !== null).join(' · ') || templatesText.named}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function partOf({ name, kind, role, channel, auth_level }: PartyView): string {
  const { kinds, channels, levels } = detailText;
  const part = kind === 'signer' && role !== null && role !== name ? role : kinds[kind];
  return [part, channels[channel], levels[auth_level]].filter((words) => words !== '').join(' · ');
}
