import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DocumentForm } from '../documents/document-form.tsx';
import { FileChoice } from '../documents/file-choice.tsx';
import { NewInFolder } from '../documents/folder-choice.tsx';
import { emptyRecipient } from '../documents/new-recipient.ts';
import { useCreate } from '../documents/use-create.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { templatesText } from './texts.ts';

const route = getRouteApi('/templates/new');

export function NewTemplatePage() {
  const [recipients] = useState(() => [emptyRecipient()]);
  const { folder: inFolder } = route.useSearch();
  const { files, setFiles, folder, setFolder, create, ...state } = useCreate('templates', inFolder);
  return (
    <div className="mx-auto max-w-3xl">
      <PageTitle>{templatesText.new}</PageTitle>
      <DocumentForm
        recipients={recipients}
        isTemplate
        mayBeEmpty
        file={
          <>
            <FileChoice files={files} onChoose={setFiles} />
            <NewInFolder value={folder} onChange={setFolder} />
          </>
        }
        action={templatesText.create}
        hint={templatesText.createHint}
        {...state}
        onSubmit={create}
      />
    </div>
  );
}
