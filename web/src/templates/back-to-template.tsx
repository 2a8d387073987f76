import type { DocumentDetail } from '../documents/types.ts';
import { BackLink } from '../ui/back-link.tsx';
import { templatesText } from './texts.ts';

/** Leads back to the template, or to the list after it was deleted. */
export function BackToTemplate({ template: { id, status } }: { template: DocumentDetail }) {
  if (status === 'voided')
    return (
      <BackLink to="/templates" search={{}}>
        {templatesText.back}
      </BackLink>
    );
  return (
    <BackLink to="/templates/$id" params={{ id }} search={{}}>
      {templatesText.backToTemplate}
    </BackLink>
  );
}
