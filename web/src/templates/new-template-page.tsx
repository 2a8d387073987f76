import { useState } from 'react';
import { DocumentForm } from '../documents/document-form.tsx';
import { FileChoice } from '../documents/file-choice.tsx';
import { emptyRecipient } from '../documents/new-recipient.ts';
import { useCreate } from '../documents/use-create.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { templatesText } from './texts.ts';

export function NewTemplatePage() {
  const [recipients] = useState(() => [emptyRecipient()]);
  const { file, setFile, create, isBusy, error } = useCreate('templates');
  return (
    <div className="mx-auto max-w-3xl">
      <PageTitle>{templatesText.new}</PageTitle>
      <DocumentForm
        recipients={recipients}
        isTemplate
        mayBeEmpty
        file={<FileChoice file={file} onChoose={setFile} />}
        action={templatesText.create}
        hint={templatesText.createHint}
        isBusy={isBusy}
        error={error}
        onSubmit={create}
      />
    </div>
  );
}
