import { Link } from '@tanstack/react-router';
import { CodeBlock } from '../ui/code-block.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { importsText } from './texts.ts';

/** Shown without imports: the ways to import documents. */
export function FirstImport() {
  const request = `curl ${location.origin}/api/v1/imports \\
  -H "Authorization: Bearer svc_live_…" \\
  -d '{
    "source": "cloud_files",
    "files": [{ "url": "https://www.dropbox.com/scl/fi/…/lease.pdf?rlkey=…" }]
  }'`;
  return (
    <EmptyState title={importsText.emptyTitle}>
      <p>{importsText.emptyText}</p>
      <p>
        {importsText.emptyMigrate}{' '}
        <Link to="/settings/connections" className="text-accent underline">
          {importsText.connections}
        </Link>
        .
      </p>
      <p>{importsText.emptyCurl}</p>
      <CodeBlock code={request} name={importsText.request} />
    </EmptyState>
  );
}
