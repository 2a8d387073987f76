import { useState } from 'react';
import { DocumentForm } from '../documents/document-form.tsx';
import { FileChoice } from '../documents/file-choice.tsx';
import { emptyRecipient } from '../documents/new-recipient.ts';
import { useCreate } from '../documents/use-create.ts';
import { templatesText } from './texts.ts';

export function NewTemplatePage() {
  const [recipients] = useState(() => [emptyRecipient()]);
  const { file, setFile, create, isBusy, error } = useCreate('templates');
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="text-2xl sm:text-3xl">{templatesText.new}</h1>
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
