import { linkOrigin } from '../../custom-domain/link-origin.ts';
import type { Language } from '../../platform/language.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { type Availability, availabilityOf, type Obstacle } from '../../public-link/availability.ts';
import { readTemplate } from '../../public-link/open-link.ts';
import { linkAddress, type PublicLink } from '../../public-link/public-link.ts';
import type { ConsoleDeps } from '../core/console-endpoint.ts';
import { describeActor, type TimelineEntry } from '../documents/timeline.ts';

/** Public links as the console's pages show them. The pages import these types. */
export interface PublicLinkView {
  id: string;
  /** The address to publish. */
  url: string;
  /** Null: the title of the template is shown. */
  name: string | null;
  template: { id: string; title: string };
  language: Language;
  ends_at: Timestamp | null;
  documents_max: number;
  /** The documents that were made. */
  documents: number;
  one_per_email: boolean;
  is_on: boolean;
  /** What visitors meet now. */
  availability: Availability;
  /** Why no documents are made. Visitors are not told. */
  obstacle: Obstacle | null;
  /** In whose name documents are sent. */
  acts_for: TimelineEntry['actor'];
  created_at: Timestamp;
}

export async function viewLink(
  { world, origin, publicUrl }: Pick<ConsoleDeps, 'world' | 'origin' | 'publicUrl'>,
  db: Queryable,
  link: PublicLink,
): Promise<PublicLinkView> {
  const { template, obstacle } = await readTemplate(db, link);
  const { id, name, language, ends_at, documents_max, documents, one_per_email, is_on, created_at } = link;
  return {
    id,
    url: linkAddress(await linkOrigin(db, link.account_id, { origin: origin(), publicUrl }), link),
    name,
    template: { id: link.template_id, title: template?.title ?? '' },
    language,
    ends_at,
    documents_max,
    documents,
    one_per_email,
    is_on,
    availability: availabilityOf(link, obstacle, world.clock.now()),
    obstacle,
    acts_for: await describeActor(db, link.account_id, [], link.actor),
    created_at,
  };
}
