import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PageTitle } from '../ui/page-title.tsx';
import { DocumentForm } from './document-form.tsx';
import { FileChoice } from './file-choice.tsx';
import { NewInFolder } from './folder-choice.tsx';
import { emptyRecipient } from './new-recipient.ts';
import { newText } from './new-texts.ts';
import { useCreate } from './use-create.ts';

const route = getRouteApi('/documents/new');

/** The page to create a draft from title, recipients and a PDF. Fields and sending are on other pages. */
export function NewDocumentPage() {
  const [recipients] = useState(() => [emptyRecipient()]);
  const { folder: inFolder } = route.useSearch();
  const { files, setFiles, folder, setFolder, create, ...state } = useCreate('documents', inFolder);
  return (
    <div className="mx-auto max-w-3xl">
      <PageTitle>{newText.title}</PageTitle>
      <p className="mt-2 text-soft">
        {newText.often}{' '}
        <Link to="/templates" search={{}} className="text-accent underline">
          {newText.fromTemplate}
        </Link>
        .
      </p>
      <DocumentForm
        recipients={recipients}
        addsDefaultLists
        file={
          <>
            <FileChoice files={files} onChoose={setFiles} />
            <NewInFolder value={folder} onChange={setFolder} />
          </>
        }
        action={newText.create}
        hint={newText.draftHint}
        {...state}
        onSubmit={create}
      />
    </div>
  );
}
